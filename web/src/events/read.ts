/** What is read off a `Conversation`: the answer, the state of a call, where a value is. */

import type { Call, Conversation, Round, Turn } from './model';
import type { Json, Status } from './types';

/** The state of a call, as it is shown. */
export type CallState =
  | 'streaming'
  | 'checking'
  | 'queued'
  | 'waiting'
  | 'running'
  | 'ok'
  | 'failed'
  | 'refused'
  | 'timed_out'
  | 'denied'
  | 'cancelled'
  | 'interrupted';

const ends: Record<Status, CallState> = {
  success: 'ok',
  error: 'failed',
  refused: 'refused',
  timeout: 'timed_out',
  denied: 'denied',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
};

export function callState(call: Call): CallState {
  if (call.result) return ends[call.result.status] ?? 'failed';
  if (call.questions.length > 0) return 'waiting';
  return call.phase === 'finished' ? 'failed' : call.phase;
}

/** `running` while no terminal event is there. Whether somebody still works on it only the server knows. */
export function turnState(turn: Turn): 'running' | 'answered' | 'failed' {
  if (turn.error) return 'failed';
  return turn.endedAt === undefined ? 'running' : 'answered';
}

/** The answer as far as it is there: while it arrives, and when it is final. */
export function answer(turn: Turn): string {
  if (turn.endedAt !== undefined) return turn.response ?? '';
  if (turn.draft?.content) return turn.draft.content;
  if (turn.response !== undefined) return turn.response;
  const last = turn.rounds.at(-1);
  return last && isAnswer(last) && !isUnjudged(turn, last) ? last.content : '';
}

/** Whether the answer is all that the model had to say. */
export function isWhole(turn: Turn): boolean {
  return turn.finish !== 'length' && turn.finish !== 'content_filter';
}

/** Whether the text of a round was meant as the answer, and is none. */
export function isRejected(round: Round): boolean {
  const verdict = round.review?.verdict;
  return round.returned !== undefined || verdict === 'returned' || verdict === 'replaced';
}

/** Whether the text of a round may yet be rejected. */
export function isUnjudged(turn: Turn, round: Round): boolean {
  // Behind an answer on the way the run went on: that one stands, or was withheld.
  if (turn.steered.some((it) => it.behind === round.number)) return false;
  const mayBe = turn.review === 'enforce' || turn.review === 'replace';
  return mayBe && turn.endedAt === undefined && isAnswer(round) && round.review === undefined;
}

/** Whether the text of a round is meant as the answer. */
export function isAnswer(round: Round): boolean {
  if (round.repliedAt === undefined || round.inWords || isRejected(round)) return false;
  return round.calls.length === 0 && round.finish !== 'tool_calls';
}

/** What the model thought, over all rounds. */
export function reasoning(turn: Turn): string {
  const parts = turn.rounds.map((round) => round.reasoning);
  if (turn.draft) parts.push(turn.draft.reasoning);
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Whether text of the answer is arriving. */
export function isStreaming(turn: Turn): boolean {
  return turn.endedAt === undefined && (turn.draft?.content ?? '') !== '';
}

/** All calls of a run, in order. */
export function callsOf(turn: Turn): Call[] {
  return turn.rounds.flatMap((round) => round.calls);
}

/** The calls that wait for a person, for a decision or the answer to a question, or in whose runs one does. */
export function undecided(turn: Turn): Call[] {
  const waits = (call: Call) =>
    call.questions.length > 0 || (call.phase === 'waiting' && call.preview !== undefined);
  return callsOf(turn).filter((call) => waits(call) || isAskedWithin(call));
}

/** The calls themselves that wait for a person, in runs within the run, too. */
export function waitingIn(turn: Turn): Call[] {
  return callsOf(turn).flatMap((call) => {
    const inner = !call.result && call.nested !== undefined ? waitingIn(call.nested) : [];
    const isAsked = call.phase === 'waiting' && call.preview !== undefined;
    return isAsked || call.questions.length > 0 ? [call, ...inner] : inner;
  });
}

/** Whether a call in the run that this call is waits for a person. */
export function isAskedWithin(call: Call): boolean {
  return !call.result && call.nested !== undefined && undecided(call.nested).length > 0;
}

/** Where a call is: its turn's index and itself. */
export function findCall(
  conversation: Conversation,
  id: string,
): { turn: number; call: Call } | undefined {
  for (let turn = conversation.turns.length - 1; turn >= 0; turn -= 1) {
    for (const round of conversation.turns[turn]?.rounds ?? []) {
      const call = round.calls.find((it) => it.id === id);
      if (call) return { turn, call };
    }
  }
  return undefined;
}

/**
 * What the run cost, in the unit its prices speak of, each model at its own; undefined where no price is
 * known.
 */
export function cost(turn: Turn): number | undefined {
  if (turn.spent !== undefined) return turn.spent;
  const before = turn.charged?.cost;
  if (!turn.price) return before;
  const { input, output, cached_input = input } = turn.price;
  const used = turn.charged?.usage;
  const read = turn.usage.prompt_tokens - (used?.prompt_tokens ?? 0);
  const cached = Math.min(read, (turn.usage.cached_tokens ?? 0) - (used?.cached_tokens ?? 0));
  const written = turn.usage.completion_tokens - (used?.completion_tokens ?? 0);
  return (before ?? 0) + (input * (read - cached) + cached_input * cached + output * written) / 1e6;
}

/** The parts of a JSON pointer. */
export function pointerParts(pointer: string): string[] {
  if (pointer === '') return [];
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A JSON pointer of these parts. */
export function pointerOf(parts: readonly (string | number)[]): string {
  const escaped = parts.map((it) => String(it).replaceAll('~', '~0').replaceAll('/', '~1'));
  return escaped.map((part) => `/${part}`).join('');
}

/** The value at a pointer; undefined where there is none. */
export function valueAt(root: Json | undefined, pointer: string): Json | undefined {
  let value = root;
  for (const part of pointerParts(pointer)) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part))
      return undefined;
    value = (value as Record<string, Json>)[part];
  }
  return value;
}
