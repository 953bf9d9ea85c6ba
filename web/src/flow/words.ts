/** How states and times are said, and which icon and tone they have. */

import type { IconName } from '../parts/icons';
import type { Call, Review } from '../events/model';
import type { CallState } from '../events/read';
import type { Spent } from '../events/timeline';
import type { Finding } from '../events/types';

export type Tone = 'ok' | 'warn' | 'bad' | 'run' | 'dim';

export interface Look {
  readonly word: string;
  readonly icon: IconName;
  readonly tone: Tone;
}

/** No two states that mean different things share an icon and a tone. */
export const looks: Record<CallState, Look> = {
  streaming: { word: 'writing arguments', icon: 'edit', tone: 'dim' },
  checking: { word: 'checking', icon: 'eye', tone: 'dim' },
  queued: { word: 'in the queue', icon: 'steps', tone: 'dim' },
  waiting: { word: 'waiting for you', icon: 'hourglass', tone: 'warn' },
  running: { word: 'running', icon: 'play', tone: 'run' },
  ok: { word: 'ok', icon: 'check', tone: 'ok' },
  failed: { word: 'failed', icon: 'cross', tone: 'bad' },
  refused: { word: 'refused', icon: 'shield', tone: 'bad' },
  timed_out: { word: 'timed out', icon: 'clock', tone: 'bad' },
  denied: { word: 'denied', icon: 'ban', tone: 'warn' },
  cancelled: { word: 'cancelled', icon: 'stop', tone: 'dim' },
  interrupted: { word: 'interrupted', icon: 'broken', tone: 'warn' },
};

/** A time for people: `0.4 ms`, `177 ms`, `1.2 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  if (ms < 0.05) return '0 ms';
  if (ms < 9.95) return `${ms.toFixed(1).replace('.0', '')} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 119_500) return `${Math.round(ms / 1_000)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A time that still grows: in steps that do not flicker. */
export function ticking(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : duration(ms);
}

/** How long a call took; undefined for one that did not run. */
export function tookMs(call: Call): number | undefined {
  const { startedAt, finishedAt, result } = call;
  if (startedAt === undefined || finishedAt === undefined || !result) return undefined;
  // A call that was stopped has no time of its own.
  return result.elapsedMs > 0 ? result.elapsedMs : finishedAt - startedAt;
}

/** `1,204 tokens`, `1 call`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

export const spent: Record<Spent, string> = {
  model: 'Model',
  tool: 'Tools',
  retry: 'Retry wait',
  turn: 'Rate limit',
  approval: 'Your decision',
  queue: 'Queue',
  runtime: 'Runtime',
};

/** What guards are about, for people who have not read the manual. */
const guards: Record<string, string> = {
  placeholders: 'an argument only stands for a value',
  grounded: 'a value came from no result and not from you',
  after: 'another tool has to answer first',
  repetition: 'the same call gave the same result before',
  one_at_a_time: 'only one call at a time',
  unfinished: 'the answer described a call, or left blanks',
  review: 'the answer did not pass its review',
  output: 'the answer did not have the form that was asked for',
};

export function guardWords(guard: string): string | undefined {
  return Object.hasOwn(guards, guard) ? guards[guard] : undefined;
}

const findings: Record<Finding['kind'], string> = {
  figure: 'a number that no result has',
  date: 'a date that no result has',
  name: 'a name that no result has',
  id: 'an id that no result has',
  quote: 'a quoted line that no result has',
  empty: 'the answer says nothing',
  apology: 'an apology in place of an answer',
  claim: 'the judge objects',
};

export function findingWords(kind: string): string {
  return Object.hasOwn(findings, kind) ? findings[kind as Finding['kind']] : kind;
}

/** What a review looked at, and what came of it. */
export function verdictWords({ verdict, checked }: Pick<Review, 'verdict' | 'checked'>): string {
  if (verdict === 'nothing_to_check') return 'nothing to check';
  if (verdict === 'withheld') return 'not supported and not shown';
  if (verdict !== 'passed') return 'not supported';
  return checked === 0 ? 'passed' : `passed (${counted(checked, 'value')})`;
}

/** The text of a result without the mark that says how it ended: the card has its own. */
export function withoutMark(text: string): string {
  return text.replace(/^(?:✅ Success!|❌ (?:Error|Refused):)\s*/u, '');
}
