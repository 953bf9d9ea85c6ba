/** `picture`: the result of a run that belongs beside its answer: one that words say badly. */

import type { Call, Turn } from '../events/model';
import { callsOf } from '../events/read';
import { view } from '../results/view';

const KINDS = new Set(['candles', 'chain', 'positions', 'holdings', 'statistics']);

/** The last such call, once the run has its answer. */
export function picture(turn: Turn): Call | undefined {
  if (turn.endedAt === undefined || turn.error) return undefined;
  return callsOf(turn).findLast(({ tool, arguments: args, result }) => {
    if (result?.status !== 'success') return false;
    const { data, text } = result;
    const shown = view({ tool, args, data, text });
    return shown !== undefined && KINDS.has(shown.kind);
  });
}
