/** `sentence`: where a run is, in words for those who listen to it. */

import type { Turn } from '../events/model';
import { callsOf, callState, isAnswer, isStreaming, isWhole } from '../events/read';
import { t, tn } from '../i18n/text.svelte';
import { visibleLine } from '../parts/visible';

/** One sentence. It changes with what happens, not with every piece of text. */
export function sentence(turn: Turn, live: boolean): string {
  if (turn.error) {
    return t('The run ended without an answer: {reason}.', { reason: turn.error.message });
  }
  if (turn.endedAt !== undefined) {
    const calls = callsOf(turn).length;
    return isWhole(turn)
      ? tn(calls, 'Answered, after {count} call.', 'Answered, after {count} calls.')
      : tn(
          calls,
          'The answer is cut off, after {count} call.',
          'The answer is cut off, after {count} calls.',
        );
  }
  if (!live) return t('The run was cut short.');
  const open = turn.rounds.at(-1)?.calls ?? [];
  const waiting = open
    .filter((call) => callState(call) === 'waiting')
    .map((call) => visibleLine(call.tool));
  if (open.some((call) => call.questions.length > 0))
    return t('Waiting for your answer to {tools}.', { tools: waiting.join(', ') });
  if (waiting.length > 0) {
    return t('Waiting for your decision about {tools}.', { tools: waiting.join(', ') });
  }
  const running = open
    .filter((call) => callState(call) === 'running')
    .map((call) => visibleLine(call.tool));
  if (running.length > 0) return t('Running {tools}.', { tools: running.join(', ') });
  const last = turn.rounds.at(-1);
  if (isStreaming(turn) || (last && isAnswer(last))) return t('Generating response.');
  if (open.length > 0 || last?.finish === 'tool_calls') {
    return t('Round {round}.', { round: turn.rounds.length });
  }
  return turn.rounds.length > 1 ? t('Thinking.') : t('Analyzing request.');
}
