/**
 * `pathTo`: which runs of a conversation lead to one of them.
 *
 * A log only grows: a question that is asked anew is one more run, which says behind which event it goes on. So a
 * conversation is a tree of runs, and what is shown is one path through it.
 */

import type { Turn } from './model';

/** The runs that lead to the end of `head`, or of the newest, each as far as it does. */
export function pathTo(runs: readonly Turn[], head?: string): readonly Turn[] {
  const newest = runs.length - 1;
  const from = head === undefined ? newest : runs.findIndex((it) => it.run === head);
  if ((from < 0 || from === newest) && runs.every((it) => it.after === undefined)) return runs;
  const path: Turn[] = [];
  let at = from < 0 ? newest : from;
  let upTo = Infinity;
  for (;;) {
    const turn = runs[at];
    if (turn === undefined) break;
    path.push(cut(turn, upTo));
    const origin = originOf(runs, at);
    if (origin === undefined) break;
    at = origin.at;
    upTo = origin.seq;
  }
  return path.reverse();
}

/** The versions of a run, itself among them, in the order in which they began: those that go on from the same point. */
export function versionsOf(runs: readonly Turn[], run: string): string[] {
  return versions(runs).get(run) ?? [];
}

/** Every turn on the screen asks for its versions, of the same runs: they are found for all at once. */
const known = new WeakMap<readonly Turn[], ReadonlyMap<string, string[]>>();

function versions(runs: readonly Turn[]): ReadonlyMap<string, string[]> {
  const found = known.get(runs);
  if (found) return found;
  const byPoint = new Map<string, string[]>();
  const byRun = new Map<string, string[]>();
  for (const [at, { run }] of runs.entries()) {
    const point = keyOf(runs, at);
    const among = byPoint.get(point) ?? [];
    among.push(run);
    byPoint.set(point, among);
    byRun.set(run, among);
  }
  known.set(runs, byRun);
  return byRun;
}

/** The newest run that follows all of this one, and so on: where a reader who chose this version wants to be. */
export function tipOf(runs: readonly Turn[], run: string): string {
  const next = new Map<number, number>();
  runs.forEach((_, at) => {
    const origin = originOf(runs, at);
    if (origin && origin.seq >= (runs[origin.at]?.seq ?? 0)) next.set(origin.at, at);
  });
  // Runs only go on from earlier ones, so that this comes to an end.
  let tip = runs.findIndex((it) => it.run === run);
  for (let to = next.get(tip); to !== undefined; to = next.get(tip)) tip = to;
  return runs[tip]?.run ?? run;
}

/** Where each run stands, found once for all that ask: whoever follows a path asks for every run on it. */
const placed = new WeakMap<readonly Turn[], ReadonlyMap<string, number>>();

function places(runs: readonly Turn[]): ReadonlyMap<string, number> {
  const found = placed.get(runs) ?? new Map(runs.map(({ run }, at) => [run, at]));
  placed.set(runs, found);
  return found;
}

/** Where a run goes on from: the place of the run, and its last event that counts. Undefined before the first. */
function originOf(runs: readonly Turn[], at: number): { at: number; seq: number } | undefined {
  const after = runs[at]?.after;
  if (after?.from === 'start') return undefined;
  if (after?.from === 'event') {
    const place = places(runs).get(after.run);
    // What names a run that is not there follows the one before it, as everywhere.
    if (place !== undefined && place < at) return { at: place, seq: after.seq };
  }
  return at > 0 ? { at: at - 1, seq: runs[at - 1]?.seq ?? 0 } : undefined;
}

function keyOf(runs: readonly Turn[], at: number): string {
  const origin = originOf(runs, at);
  return origin === undefined ? '' : `${origin.at}:${origin.seq}`;
}

/** A run as far as its event `upTo`: what came after it was not said on this path. */
function cut(turn: Turn, upTo: number): Turn {
  if (upTo >= turn.seq) return turn;
  const rounds = turn.rounds.filter((round) => round.seq <= upTo);
  const ended = { response: undefined, finish: undefined, error: undefined, draft: undefined };
  return { ...turn, ...ended, rounds, endedAt: turn.lastAt, cut: true };
}
