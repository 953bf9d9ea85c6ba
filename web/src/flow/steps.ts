/**
 * `Step`: a run as a list of what happens in it: "Analyzing request", the rounds with their calls,
 * "Generating response", and how it ended.
 */

import type { Draft, Note, Round, Turn } from '../events/model';
import { t } from '../i18n/text.svelte';

export type StepKind =
  | 'analyzing'
  | 'round'
  | 'thinking'
  | 'returned'
  | 'words'
  | 'silent'
  | 'answer'
  | 'answered'
  | 'partial'
  | 'failed'
  | 'cut';

export interface Step {
  readonly kind: StepKind;
  readonly title: string;
  /** When it began; undefined where its time is that of another step. */
  readonly from: number | undefined;
  /** When it was over; undefined while it goes on. */
  readonly to: number | undefined;
  /** How long the model took before it, where no other step tells: a round's own time is its calls'. */
  readonly askedMs?: number;
  readonly round: Round | undefined;
  /** What is arriving in it. */
  readonly draft: Draft | undefined;
  readonly notes: readonly Note[];
}

/** The steps of a run. `live`: whether somebody still works on it. */
export function steps(turn: Turn, live: boolean): Step[] {
  const over = turn.endedAt !== undefined || !live;
  const all = [analyzing(turn, over)];
  for (const [index, round] of turn.rounds.entries()) {
    const last = index === turn.rounds.length - 1;
    const step = stepOf(turn, round, last ? turn.draft : undefined, over || !last);
    if (step) all.push(step);
  }
  const end = ending(turn, live);
  return end ? [...all, end] : all;
}

function analyzing(turn: Turn, over: boolean): Step {
  const first = turn.rounds[0];
  const only = turn.rounds.length === 1;
  const draft = only ? turn.draft : undefined;
  const kind = first && kindOf(first, draft, over || !only, saidBefore(turn, first));
  return {
    kind: 'analyzing',
    title: t('Analyzing request'),
    from: turn.startedAt,
    to: analyzedAt(first, kind) ?? (over ? turn.lastAt : undefined),
    round: kind ? undefined : first,
    draft: kind ? undefined : draft,
    notes: turn.notes,
  };
}

/** When the model had made up its mind. An answer is a step of its own, and its time is told there. */
function analyzedAt(first: Round | undefined, kind: StepKind | undefined): number | undefined {
  if (!kind) return undefined;
  return kind === 'round' ? first?.repliedAt : first?.startedAt;
}

const titles = {
  thinking: () => t('Thinking'),
  returned: () => t('Answer sent back'),
  words: () => t('Answer in words'),
  silent: () => t('No reply'),
  answer: () => t('Generating response'),
} as const;

function stepOf(
  turn: Turn,
  round: Round,
  draft: Draft | undefined,
  over: boolean,
): Step | undefined {
  const kind = kindOf(round, draft, over, saidBefore(turn, round));
  if (!kind) return undefined;
  const { lastAt } = turn;
  const { startedAt, repliedAt, notes } = round;
  if (kind === 'round') {
    // Behind the last round with tools there is one to answer in.
    const { number, of: count } = round;
    const title =
      number > count ? t('Last round') : t('Round {number} of {count}', { number, count });
    const to = settledAt(round) ?? (over ? lastAt : undefined);
    // The first question to the model is a step of its own.
    const askedMs = round.number > 1 && repliedAt !== undefined ? repliedAt - startedAt : undefined;
    return { kind, title, from: repliedAt, to, askedMs, round, draft, notes };
  }
  const to = repliedAt ?? (over ? lastAt : undefined);
  return { kind, title: titles[kind](), from: startedAt, to, round, draft, notes };
}

/** When the last call of a round had its result; undefined while one has none. */
function settledAt(round: Round): number | undefined {
  if (round.repliedAt === undefined || round.calls.length === 0) return undefined;
  let last = round.repliedAt;
  for (const { finishedAt } of round.calls) {
    if (finishedAt === undefined) return undefined;
    last = Math.max(last, finishedAt);
  }
  return last;
}

/** What a round is, as far as one can tell; undefined while the first has not said anything. */
function kindOf(
  round: Round,
  draft: Draft | undefined,
  over: boolean,
  said: boolean,
): 'round' | keyof typeof titles | undefined {
  const calls = round.calls.length + (draft?.calls.length ?? 0);
  if (calls > 0 || round.finish === 'tool_calls') return 'round';
  if (round.returned) return 'returned';
  if (round.inWords) return 'words';
  if (round.repliedAt !== undefined) return round.content.trim() === '' ? 'silent' : 'answer';
  if (said || (draft && draft.content !== '')) return 'answer';
  if (over) return 'silent';
  return round.number > 1 ? 'thinking' : undefined;
}

/** Whether a reply was arriving in this round when the run ended: its text is the run's last words. */
function saidBefore(turn: Turn, round: Round): boolean {
  return round === turn.rounds.at(-1) && (turn.error?.response ?? '') !== '';
}

/** How an answer ended that is not whole. */
const partial: Record<string, () => string> = {
  length: () => t('Answer cut off'),
  content_filter: () => t('Answer withheld in part'),
  refusal: () => t('The model declined'),
};

function ending(turn: Turn, live: boolean): Step | undefined {
  const common = { from: turn.startedAt, round: undefined, draft: undefined, notes: [] };
  if (turn.error) {
    const title = turn.error.kind === 'cancelled' ? t('Stopped') : t('No answer');
    return { ...common, kind: 'failed', title, to: turn.endedAt };
  }
  if (turn.endedAt !== undefined) {
    const cut = partial[turn.finish ?? '']?.();
    if (cut !== undefined) return { ...common, kind: 'partial', title: cut, to: turn.endedAt };
    const title = turn.mode === 'single_shot' ? t('The results are the answer') : t('Answered');
    return { ...common, kind: 'answered', title, to: turn.endedAt };
  }
  return live ? undefined : { ...common, kind: 'cut', title: t('Cut short'), to: turn.lastAt };
}
