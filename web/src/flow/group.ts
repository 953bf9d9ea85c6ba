/** `worst`: how a group of calls stands: as those of its calls that most need looking at. */

import type { Call } from '../events/model';
import { callState, isAskedWithin, type CallState } from '../events/read';
import { t } from '../i18n/text.svelte';
import { looks, type Look } from './words';

/** What needs looking at before what does not. */
const ORDER: readonly CallState[] = [
  'waiting',
  'failed',
  'timed_out',
  'refused',
  'denied',
  'interrupted',
  'cancelled',
  'running',
  'queued',
  'checking',
  'streaming',
  'ok',
];

/** The look of the group, with how many of its calls have it where not all do. */
export function worst(calls: readonly Call[]): Look {
  const counts = new Map<CallState, number>();
  for (const call of calls) {
    const state = callState(call);
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const state = ORDER.find((it) => counts.has(it)) ?? 'ok';
  const count = counts.get(state) ?? 0;
  const look = looks[state];
  if (count === calls.length) return look;
  return { ...look, word: t('{count} {state}', { count, state: look.word }) };
}

/** Whether one of them waits for a person: then the group does not hide it. */
export function waitsForYou(calls: readonly Call[]): boolean {
  return calls.some((call) => callState(call) === 'waiting' || isAskedWithin(call));
}

/** How long a group took, from its first call to its last result; undefined while one goes on. */
export function spanMs(calls: readonly Call[]): number | undefined {
  let from = Infinity;
  let to = -Infinity;
  for (const { proposedAt, startedAt, finishedAt } of calls) {
    if (finishedAt === undefined) return undefined;
    from = Math.min(from, startedAt ?? proposedAt);
    to = Math.max(to, finishedAt);
  }
  return to >= from ? to - from : undefined;
}
