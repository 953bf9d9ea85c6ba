/** How states and times are said, and which icon and tone they have. */

import type { IconName } from '../parts/icons';
import type { Call, Review } from '../events/model';
import type { CallState } from '../events/read';
import type { Spent } from '../events/timeline';
import type { Finding } from '../events/types';
import { fixed, number } from '../i18n/format';
import { t, tn } from '../i18n/text.svelte';

export type Tone = 'ok' | 'warn' | 'bad' | 'run' | 'dim';

export interface Look {
  readonly word: string;
  readonly icon: IconName;
  readonly tone: Tone;
}

/** The word is found when it is shown: the reader may choose another language. */
function look(word: () => string, drawn: Pick<Look, 'icon' | 'tone'>): Look {
  return {
    ...drawn,
    get word() {
      return word();
    },
  };
}

/** No two states that mean different things share an icon and a tone. */
export const looks: Record<CallState, Look> = {
  streaming: look(() => t('writing arguments'), { icon: 'edit', tone: 'dim' }),
  checking: look(() => t('checking'), { icon: 'eye', tone: 'dim' }),
  queued: look(() => t('in the queue'), { icon: 'steps', tone: 'dim' }),
  waiting: look(() => t('waiting for you'), { icon: 'hourglass', tone: 'warn' }),
  running: look(() => t('running'), { icon: 'play', tone: 'run' }),
  ok: look(() => t('ok'), { icon: 'check', tone: 'ok' }),
  failed: look(() => t('failed'), { icon: 'cross', tone: 'bad' }),
  refused: look(() => t('refused'), { icon: 'shield', tone: 'bad' }),
  timed_out: look(() => t('timed out'), { icon: 'clock', tone: 'bad' }),
  denied: look(() => t('denied'), { icon: 'ban', tone: 'warn' }),
  cancelled: look(() => t('cancelled'), { icon: 'stop', tone: 'dim' }),
  interrupted: look(() => t('interrupted'), { icon: 'broken', tone: 'warn' }),
};

/** A time for people: `0.4 ms`, `177 ms`, `1.2 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  const round = Math.round(ms);
  if (ms < 0.05) return t('{count} ms', { count: 0 });
  if (ms < 9.95) return t('{count} ms', { count: number(ms, { maximumFractionDigits: 1 }) });
  if (ms < 999.5) return t('{count} ms', { count: round });
  if (ms < 9_950) return t('{count} s', { count: fixed(ms / 1_000, 1) });
  const seconds = Math.round(ms / 1_000);
  if (ms < 119_500) return t('{count} s', { count: seconds });
  return t('{minutes} min {seconds} s', {
    minutes: Math.floor(seconds / 60),
    seconds: seconds % 60,
  });
}

/** A time that still grows: in steps that do not flicker. */
export function ticking(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  return ms < 60_000 ? t('{count} s', { count: fixed(ms / 1_000, 1) }) : duration(ms);
}

/** How long a call took; undefined for one that did not run. */
export function tookMs(call: Call): number | undefined {
  const { startedAt, finishedAt, result } = call;
  if (startedAt === undefined || finishedAt === undefined || !result) return undefined;
  // A call that was stopped has no time of its own.
  return result.elapsedMs > 0 ? result.elapsedMs : finishedAt - startedAt;
}

const kinds: Record<Spent, () => string> = {
  model: () => t('Model'),
  tool: () => t('Tools'),
  retry: () => t('Retry wait'),
  turn: () => t('Rate limit'),
  approval: () => t('Your decision'),
  queue: () => t('Queue'),
  runtime: () => t('Runtime'),
};

/** What time was spent on. */
export function spentOn(kind: Spent): string {
  return kinds[kind]();
}

/** What guards are about, for people who have not read the manual. */
const guards: Record<string, () => string> = {
  placeholders: () => t('an argument only stands for a value'),
  grounded: () => t('a value came from no result and not from you'),
  after: () => t('another tool has to answer first'),
  seen: () => t('it would replace what was not shown'),
  duplicate: () => t('the same call stands twice in one reply'),
  repetition: () => t('the same call gave the same result before'),
  one_at_a_time: () => t('only one call at a time'),
  unfinished: () => t('the answer described a call, or left blanks'),
  review: () => t('the answer did not pass its review'),
  output: () => t('the answer did not have the form that was asked for'),
};

export function guardWords(guard: string): string | undefined {
  return Object.hasOwn(guards, guard) ? guards[guard]?.() : undefined;
}

const findings: Record<Finding['kind'], () => string> = {
  figure: () => t('a number that no result has'),
  date: () => t('a date that no result has'),
  name: () => t('a name that no result has'),
  id: () => t('an id that no result has'),
  quote: () => t('a quoted line that no result has'),
  empty: () => t('the answer says nothing'),
  apology: () => t('an apology in place of an answer'),
  undone: () => t('it says that something was done, but no tool did it'),
  claim: () => t('the judge objects'),
};

export function findingWords(kind: string): string {
  return Object.hasOwn(findings, kind) ? findings[kind as Finding['kind']]() : kind;
}

/** What a review looked at, and what came of it. */
export function verdictWords({ verdict, checked }: Pick<Review, 'verdict' | 'checked'>): string {
  if (verdict === 'nothing_to_check') return t('nothing to check');
  if (verdict === 'withheld') return t('not supported and not shown');
  if (verdict !== 'passed') return t('not supported');
  if (checked === 0) return t('passed');
  return tn(checked, 'passed ({count} value)', 'passed ({count} values)');
}

/** The text of a result without the mark that says how it ended: the card has its own. */
export function withoutMark(text: string): string {
  return text.replace(/^(?:✅ Success!|❌ (?:Error|Refused):)\s*/u, '');
}
