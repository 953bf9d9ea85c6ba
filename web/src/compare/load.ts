/** `load`: the runs of a conversation that is not in front of the reader. */

import { api, items } from '../api/client';
import type { Turn } from '../events/model';
import { fold } from '../events/reducer';
import { empty } from '../events/model';

export async function load(id: string): Promise<readonly Turn[]> {
  let conversation = empty;
  for (;;) {
    const after = conversation.position < 0 ? undefined : conversation.position;
    const page = await api.events(id, after);
    conversation = fold(items(page), conversation);
    if (page.next === undefined || page.next === null || page.events.length === 0) break;
  }
  return conversation.runs;
}
