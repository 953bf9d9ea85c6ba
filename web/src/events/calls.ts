/** `applyToCall`: what an event changes in the calls of a run. */

import { t } from '../i18n/text.svelte';
import type { Call, Result, Round, Turn } from './model';
import type { AnyMessage, Event, EventOf, Json, RequestedCall } from './types';

/** The layer of a note that is about a call and by none. */
export const NOTICE = 'notice';

/** The run with its calls changed; undefined where the event is not about calls. */
export function applyToCall(turn: Turn, event: Event): Turn | undefined {
  switch (event.type) {
    case 'tool_calls':
      return propose(turn, event);
    case 'call_checked':
      return inCall(turn, event.id, (call) => checked(call, event));
    case 'decision_needed':
      return event.calls.reduce(
        (told, id) => inCall(told, id, (call) => waiting(call, event.at)),
        turn,
      );
    case 'call_preview': {
      const { id, fingerprint, place, content, targets, always } = event;
      const { review_reason, rule_concern } = event;
      const shown = { fingerprint, place, content, targets, always };
      const preview = { ...shown, review_reason, rule_concern };
      return inCall(turn, id, (call) => ({ ...call, preview, decision: undefined }));
    }
    case 'decision_made':
      return inCall(turn, event.id, (call) => decided(call, event));
    case 'call_started':
      return inCall(turn, event.id, (call) => started(call, event.at));
    case 'call_progress':
      return inCall(turn, event.id, (call) => ({ ...call, progress: event.data }));
    case 'question_asked': {
      const { id, question_id, question, at } = event;
      return inCall(turn, id, (call) => {
        const others = call.questions.filter((it) => it.id !== question_id);
        return { ...call, questions: [...others, { id: question_id, question, at }] };
      });
    }
    case 'question_answered':
      return inCall(turn, event.id, (call) => answered(call, event));
    case 'policy_applied': {
      const { id, layer, action, message, at } = event;
      const note = { layer, action, message, at };
      return inCall(turn, id, (call) => ({ ...call, notes: [...call.notes, note] }));
    }
    case 'notice': {
      if (event.id === undefined) return undefined;
      const note = { layer: NOTICE, action: '', message: event.message, at: event.at };
      return inCall(turn, event.id, (call) => ({ ...call, notes: [...call.notes, note] }));
    }
    case 'full_result':
      return inCall(turn, event.id, (call) => ({ ...call, whole: event.text }));
    case 'call_finished':
      return inCall(turn, event.id, (call) => finished(call, event));
    default:
      return undefined;
  }
}

/**
 * The calls of the reply. A log that was resumed may request them twice; in a file from
 * anywhere, ids may be doubled, and no list on the page takes that.
 */
function propose(turn: Turn, event: EventOf<'tool_calls'>): Turn {
  const last = turn.rounds.at(-1);
  if (!last) return turn;
  const known = new Set(turn.rounds.flatMap((round) => round.calls.map((call) => call.id)));
  const fresh = event.tool_calls.filter(({ id }) => !known.has(id) && known.add(id));
  const calls = [...last.calls, ...fresh.map((it) => requested(it, event.at))];
  return { ...turn, rounds: [...turn.rounds.slice(0, -1), { ...last, calls }] };
}

function requested(call: RequestedCall, at: number): Call {
  return {
    id: call.id,
    tool: call.tool,
    arguments: call.args,
    written: undefined,
    source: call.source ?? 'native',
    effect: undefined,
    provenance: [],
    reviewReason: undefined,
    phase: 'checking',
    preview: undefined,
    decision: undefined,
    waits: [],
    notes: [],
    progress: undefined,
    questions: [],
    nested: undefined,
    whole: undefined,
    result: undefined,
    proposedAt: at,
    checkedAt: undefined,
    startedAt: undefined,
    finishedAt: undefined,
  };
}

function checked(call: Call, event: EventOf<'call_checked'>): Call {
  const { tool, arguments: args, effect, review_reason, at } = event;
  // A call that is taken up again after a crash is checked without asking anew where values are from.
  const again = call.startedAt !== undefined && !event.provenance;
  const provenance = again ? call.provenance : (event.provenance ?? []);
  const phase = call.phase === 'waiting' ? 'waiting' : 'queued';
  const written = writtenOf(call, args);
  return {
    ...call,
    tool,
    arguments: args,
    written,
    effect,
    reviewReason: review_reason,
    provenance,
    phase,
    // Whoever asked is gone.
    questions: [],
    checkedAt: at,
  };
}

const actions = {
  accept: (question: string) => t('“{question}”: answered', { question }),
  decline: (question: string) => t('“{question}”: declined', { question }),
  cancel: (question: string) => t('“{question}”: closed without an answer', { question }),
} as const;

function answered(call: Call, event: EventOf<'question_answered'>): Call {
  const { question_id: id, answer, at } = event;
  const asked = call.questions.find((it) => it.id === id);
  if (!asked) return call;
  const { message: question } = asked.question;
  const note = {
    layer: 'question',
    action: answer.action,
    at,
    get message() {
      return actions[answer.action](question);
    },
  };
  const questions = call.questions.filter((it) => it.id !== id);
  return { ...call, questions, notes: [...call.notes, note] };
}

/** The arguments as the model wrote them, where those that are checked now are others. */
function writtenOf(call: Call, args: Json): Json | undefined {
  // The first check may drop options that were left empty: that is no edit.
  if (call.checkedAt === undefined || isSame(call.arguments, args)) return call.written;
  const written = call.written ?? call.arguments;
  return isSame(written, args) ? undefined : written;
}

function isSame(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function waiting(call: Call, at: number): Call {
  const open = call.waits.at(-1);
  const waits =
    open && open.to === undefined ? call.waits : [...call.waits, { from: at, to: undefined }];
  return { ...call, phase: 'waiting', decision: undefined, waits };
}

function decided(call: Call, event: EventOf<'decision_made'>): Call {
  const { decision, at } = event;
  const told = { ...waited(call, at), decision };
  if (decision.verdict !== 'edit') return { ...told, phase: 'queued' };
  // The new arguments are checked, and asked about, before they are the call's.
  return { ...told, phase: 'checking', preview: undefined };
}

/** The call, with nobody asked about it any more. */
function waited(call: Call, at: number): Call {
  const open = call.waits.at(-1);
  if (!open || open.to !== undefined) return call;
  return { ...call, waits: [...call.waits.slice(0, -1), { from: open.from, to: at }] };
}

function started(call: Call, at: number): Call {
  if (call.startedAt === undefined) return { ...call, phase: 'running', startedAt: at };
  const note = {
    layer: 'recovery',
    action: 'again',
    at,
    get message() {
      return t('started again after the run was cut short');
    },
  };
  return { ...call, phase: 'running', notes: [...call.notes, note] };
}

function finished(call: Call, event: EventOf<'call_finished'>): Call {
  const { status, elapsed_ms: elapsedMs, guard, at } = event;
  const message: AnyMessage = event.message;
  const text = message.content ?? '';
  const data = message.data !== undefined ? message.data : parsed(text);
  const { words, detail, input, attachments = [] } = message;
  const said = { status, text, data, words, detail, input, attachments };
  const result: Result = { ...said, guard, elapsedMs };
  return { ...waited(call, at), phase: 'finished', questions: [], result, finishedAt: at };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Changes one call, wherever in the run it is. */
export function inCall(turn: Turn, id: string, change: (call: Call) => Call): Turn {
  for (let at = turn.rounds.length - 1; at >= 0; at -= 1) {
    const round = turn.rounds[at];
    const index = round?.calls.findIndex((call) => call.id === id) ?? -1;
    const call = round?.calls[index];
    if (round && call) {
      const rounds = turn.rounds.slice();
      rounds[at] = withCall(round, index, change(call));
      return { ...turn, rounds };
    }
  }
  return turn;
}

function withCall(round: Round, index: number, call: Call): Round {
  const calls = round.calls.slice();
  calls[index] = call;
  return { ...round, calls };
}
