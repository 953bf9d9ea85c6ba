/** `Attempt`: one try of a call's tool. What layers noted about the call tells where one ended. */

import type { Call } from './model';

export interface Attempt {
  /** From 1. */
  readonly number: number;
  /** How many there may be, once that was told. */
  readonly of: number | undefined;
  readonly from: number;
  /** When it ended; undefined while it goes on. */
  readonly to: number | undefined;
  /** Why it failed; undefined for one that did not, or that is the last. */
  readonly reason: string | undefined;
  /** How long the next one was put off. */
  readonly waitMs: number;
}

/** All tries of a call, the one under way last. None where the tool was not started. */
export function attempts(call: Call): Attempt[] {
  if (call.startedAt === undefined) return [];
  const all: Attempt[] = [];
  let from = call.startedAt;
  let of: number | undefined;
  for (const note of call.notes) {
    const told = again(note.layer, note.action, note.message);
    if (!told) continue;
    of = told.of ?? of;
    const { reason, waitMs } = told;
    all.push({ number: all.length + 1, of, from, to: Math.max(from, note.at), reason, waitMs });
    from = before(note.at + waitMs, call.finishedAt);
  }
  const to = call.finishedAt === undefined ? undefined : Math.max(from, call.finishedAt);
  all.push({ number: all.length + 1, of, from, to, reason: undefined, waitMs: 0 });
  return all;
}

interface Again {
  of: number | undefined;
  waitMs: number;
  reason: string;
}

const words = /^attempt \d+ of (\d+) (?:at once|in (\d+) (ms|s|min)): ([\s\S]*)$/;

/** What a note says about the next attempt. A layer tells it in words, as it tells everybody. */
function again(layer: string, action: string, message: string): Again | undefined {
  if (action !== 'again') return undefined;
  if (layer === 'recovery') return { of: undefined, waitMs: 0, reason: message };
  if (layer !== 'retry') return undefined;
  const found = words.exec(message);
  if (!found) return { of: undefined, waitMs: 0, reason: message };
  const waitMs = milliseconds(Number(found[2] ?? 0), found[3]);
  return { of: Number(found[1]), waitMs, reason: found[4] ?? '' };
}

/** A wait for a turn, as far as a note tells how long it is. */
export function turnWait(message: string): number | undefined {
  const found = /^waits about (\d+) (ms|s|min) for its turn$/.exec(message);
  return found ? milliseconds(Number(found[1]), found[2]) : undefined;
}

function milliseconds(count: number, unit: string | undefined): number {
  return count * (unit === 'min' ? 60_000 : unit === 's' ? 1_000 : 1);
}

/** A moment, but none behind the end. What is told in words is rounded up. */
function before(moment: number, end: number | undefined): number {
  return end === undefined ? moment : Math.min(moment, end);
}
