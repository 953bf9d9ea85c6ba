/** `sentence`: where a run is, in words for those who listen to it. */

import type { Turn } from '../events/model';
import { callsOf, callState, isAnswer, isStreaming, isWhole } from '../events/read';
import { visibleLine } from '../parts/visible';
import { counted } from './words';

/** One sentence. It changes with what happens, not with every piece of text. */
export function sentence(turn: Turn, live: boolean): string {
  if (turn.error) return `The run ended without an answer: ${turn.error.message}.`;
  if (turn.endedAt !== undefined) {
    const calls = counted(callsOf(turn).length, 'call');
    return `${isWhole(turn) ? 'Answered' : 'The answer is cut off'}, after ${calls}.`;
  }
  if (!live) return 'The run was cut short.';
  const open = turn.rounds.at(-1)?.calls ?? [];
  const waiting = open
    .filter((call) => callState(call) === 'waiting')
    .map((call) => visibleLine(call.tool));
  if (open.some((call) => call.questions.length > 0))
    return `Waiting for your answer to ${waiting.join(', ')}.`;
  if (waiting.length > 0) return `Waiting for your decision about ${waiting.join(', ')}.`;
  const running = open
    .filter((call) => callState(call) === 'running')
    .map((call) => visibleLine(call.tool));
  if (running.length > 0) return `Running ${running.join(', ')}.`;
  const last = turn.rounds.at(-1);
  if (isStreaming(turn) || (last && isAnswer(last))) return 'Generating response.';
  if (open.length > 0 || last?.finish === 'tool_calls') return `Round ${turn.rounds.length}.`;
  return turn.rounds.length > 1 ? 'Thinking.' : 'Analyzing request.';
}
