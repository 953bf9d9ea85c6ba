/** `parts`: a run as the chat shows it: what the model said, and the calls it made meanwhile. */

import type { Call, DraftCall, Round, Steered, Turn } from '../events/model';
import { isAnswer, isAskedWithin, isRejected, isUnjudged } from '../events/read';
import { t } from '../i18n/text.svelte';

/** Something the model said. Beside calls it is an aside; an answer stands for itself. */
export interface Said {
  type: 'said';
  key: string;
  text: string;
  /** Whether more of the text is on its way. */
  more: boolean;
  kind: 'answer' | 'aside' | 'rejected';
  /** Why the text is not the answer. */
  reason: string | undefined;
}

/** The calls of rounds in which nothing was said between them. */
export interface Called {
  type: 'called';
  key: string;
  rounds: readonly Calls[];
}

export interface Calls {
  number: number;
  calls: readonly Call[];
  /** Calls that are still arriving. */
  coming: readonly DraftCall[];
}

/** What was said to the run while it went on. */
export interface Told extends Steered {
  type: 'told';
  key: string;
}

export type Part = Said | Called | Told;

/** A part keeps its key from its first piece to the end of the run, so nothing on screen moves. */
export function parts(turn: Turn): Part[] {
  const all: Part[] = told(turn, 0);
  const draft = turn.endedAt === undefined ? turn.draft : undefined;
  for (const [index, round] of turn.rounds.entries()) {
    const current = index === turn.rounds.length - 1 ? draft : undefined;
    const calls = { number: round.number, calls: round.calls, coming: current?.calls ?? [] };
    const text = final(turn, round) ?? (round.content || (current?.content ?? ''));
    const busy = calls.calls.length > 0 || calls.coming.length > 0;
    if (text !== '' && !isUnjudged(turn, round))
      all.push(
        said(round, text, { more: round.repliedAt === undefined, busy: busy || round.inWords }),
      );
    if (busy) call(all, calls);
    all.push(...told(turn, round.number));
  }
  // Where the text was still arriving when the run ended, it stays in its place.
  const key = `said-${turn.rounds.at(-1)?.number}`;
  const response = turn.endedAt === undefined ? '' : (turn.response ?? '');
  // Results put into words, or the last words before a failure: no round said them.
  if (response !== '' && !all.some((part) => isShown(part, response))) {
    all.push({
      type: 'said',
      key: all.some((part) => part.key === key) ? 'response' : key,
      text: response,
      more: false,
      kind: 'answer',
      reason: undefined,
    });
  }
  return turn.hasForm ? all.map(formed) : all;
}

/** What was said to the run behind a round. */
function told(turn: Turn, behind: number): Told[] {
  const said = turn.steered.map((it, index) => ({
    ...it,
    type: 'told' as const,
    key: `told-${index}`,
  }));
  return said.filter((it) => it.behind === behind);
}

/** What became of an answer that has a form: without the fence, say, that the model put around it. */
function final(turn: Turn, round: Round): string | undefined {
  const isOver = turn.hasForm && turn.endedAt !== undefined && turn.error === undefined;
  return isOver && isAnswer(round) ? turn.response : undefined;
}

/** An answer that has a form is shown as the JSON it is. */
function formed(part: Part): Part {
  if (part.type !== 'said' || part.kind === 'aside') return part;
  const json = part.more ? part.text : pretty(part.text);
  return { ...part, text: `\`\`\`json\n${json}\n\`\`\`` };
}

/** JSON in lines. Where a number is longer than JavaScript can tell, it stays as it is. */
function pretty(json: string): string {
  if (/\d{16}/.test(json)) return json;
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}

/** Whether a text is shown already: one that was rejected is not. */
function isShown(part: Part, text: string): boolean {
  return part.type === 'said' && part.kind !== 'rejected' && part.text === text;
}

function said(round: Round, text: string, now: { more: boolean; busy: boolean }): Said {
  return {
    type: 'said',
    key: `said-${round.number}`,
    text,
    more: now.more,
    kind: isRejected(round) ? 'rejected' : now.busy ? 'aside' : 'answer',
    reason: isRejected(round)
      ? (round.returned?.reason ?? t('The results do not support it.'))
      : undefined,
  };
}

function call(all: Part[], calls: Calls): void {
  const before = all.at(-1);
  if (before?.type === 'called') before.rounds = [...before.rounds, calls];
  else all.push({ type: 'called', key: `called-${calls.number}`, rounds: [calls] });
}

/** What whoever reads an answer must know that is not whole. */
export function cutOff(turn: Turn): string | undefined {
  if (turn.error) return undefined;
  switch (turn.finish) {
    case 'length':
      return t(
        'The answer is cut off: the model reached the most it may write. Continue, or ask for less at once.',
      );
    case 'content_filter':
      return t('The answer is cut off: the provider withheld the rest of it.');
    case 'refusal':
      return t('The model declined to answer.');
    default:
      return undefined;
  }
}

/** What is going on in a run that has no end yet, in a few words. */
export function status(turn: Turn): string {
  const round = turn.rounds.at(-1);
  const calls = round?.calls ?? [];
  const waiting = calls.filter(
    (it) => it.phase === 'waiting' || it.questions.length > 0 || isAskedWithin(it),
  );
  if (waiting.length > 0) return t('Waiting for you: {tools}', { tools: names(waiting) });
  const busy = calls.filter((it) => it.phase !== 'finished');
  if (busy.length > 0) return t('Running {tools}', { tools: names(busy) });
  if (turn.draft?.calls.length) return t('Preparing {tools}', { tools: names(turn.draft.calls) });
  if (turn.draft?.content) return t('Writing the answer');
  if (turn.draft?.reasoning) return t('Thinking');
  const asked = round?.repliedAt === undefined ? round : undefined;
  const retry = asked?.retries.at(-1);
  const turned = asked?.notes.findLast((note) => note.kind === 'fallback');
  if (turned && turned.at >= (retry?.at ?? 0))
    return t('Asking {model} instead', { model: turn.model });
  if (retry)
    return t('The model did not answer, trying again (attempt {attempt})', {
      attempt: retry.attempt,
    });
  return turn.rounds.length > 1 || calls.length > 0
    ? t('Reading the results')
    : t('Analyzing the request');
}

/** Which calls these are: each counts, those of one tool together. */
function names(calls: readonly { tool: string }[]): string {
  const counts = new Map<string, number>();
  for (const { tool } of calls) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  const all = [...counts].map(([tool, count]) => (count > 1 ? `${tool} ×${count}` : tool));
  const [first = '', second, third] = all;
  if (second === undefined) return first;
  if (third === undefined) return t('{first} and {second}', { first, second });
  const shown = [...counts.values()].slice(0, 2).reduce((sum, count) => sum + count, 0);
  return t('{first}, {second} and {count} more', { first, second, count: calls.length - shown });
}
