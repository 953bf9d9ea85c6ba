/**
 * `apply`: folds one event into a `Conversation`.
 *
 * Pure: no clock, no network, nothing changed in place. A committed event takes the draft of its run
 * away, so what is left of a live stream is what a reload shows: the pieces make no difference.
 */

import { t, tn } from '../i18n/text.svelte';
import { pathTo } from './branches';
import { applyToCall, inCall } from './calls';
import { isEvent } from './check';
import { empty, type Conversation, type Draft, type Note, type Round, type Turn } from './model';
import { cost } from './read';
import { recorded } from './record';
import {
  FINDER,
  isProvisional,
  type AnyMessage,
  type Event,
  type EventOf,
  type Item,
  type Usage,
} from './types';

/** The conversation behind one more event. One that was seen already changes nothing. */
export function apply(state: Conversation, item: Item): Conversation {
  return fold([item], state);
}

/**
 * The conversation that these events make. Its runs are copied and put in order once, not for each event: it is
 * opened in a time that grows with what is in it, and no faster. Those that were not in it yet are told.
 */
export function fold(
  items: Iterable<Item>,
  from: Conversation = empty,
  tell?: (item: Item) => void,
): Conversation {
  const runs = from.runs.slice();
  let { id, position, pieces } = from;
  let isSame = true;
  for (const item of items) {
    const { position: at, event } = item;
    // Whoever sent it may be newer than this page, or no friend of it.
    if (!isEvent(event)) continue;
    const provisional = isProvisional(event);
    const place = placeOf({ position, pieces }, at, provisional);
    if (place === undefined) continue;
    const index = turnIndex(runs, event.run);
    const turn = runs[index] ?? begin(event);
    if (event.seq <= turn.seq) continue;
    runs[index] = provisional ? draw(turn, event) : commit(turn, event);
    if (event.type === 'run_started') id = event.conversation_id;
    ({ position, pieces } = place);
    isSame = false;
    tell?.(item);
  }
  return isSame ? from : { id, position, pieces, runs, turns: pathTo(runs) };
}

type Place = Pick<Conversation, 'position' | 'pieces'>;

/** Where the conversation is once the event is in it; undefined for an event it has already. */
function placeOf(
  { position, pieces }: Place,
  at: string | undefined,
  provisional: boolean,
): Place | undefined {
  if (at === undefined) {
    // A file has no positions: the number in the run tells what was seen.
    return provisional ? { position, pieces } : { position: position + 1, pieces: 0 };
  }
  const [whole = NaN, piece = 0] = at.split('.').map(Number);
  if (!(whole > position)) return undefined;
  if (!provisional) return { position: whole, pieces: 0 };
  return piece > pieces ? { position, pieces: piece } : undefined;
}

function turnIndex(turns: readonly Turn[], run: string): number {
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    if (turns[index]?.run === run) return index;
  }
  return turns.length;
}

/** A run of which nothing is known but that there is an event of it. */
function begin(event: Event): Turn {
  return {
    run: event.run,
    after: undefined,
    cut: false,
    seq: -1,
    question: '',
    attachments: [],
    model: '',
    mode: 'loop',
    review: 'off',
    hasForm: false,
    toolsOff: [],
    limits: undefined,
    price: undefined,
    charged: undefined,
    startedAt: event.at,
    endedAt: undefined,
    lastAt: event.at,
    rounds: [],
    record: [],
    draft: undefined,
    response: undefined,
    finish: undefined,
    error: undefined,
    usage: { prompt_tokens: 0, completion_tokens: 0 },
    spent: undefined,
    notes: [],
    steered: [],
  };
}

const blank: Draft = { content: '', reasoning: '', calls: [] };

/** Adds a piece of the reply to the draft. */
function draw(turn: Turn, event: Event): Turn {
  const draft = turn.draft ?? blank;
  switch (event.type) {
    case 'content':
      return { ...turn, draft: { ...draft, content: draft.content + event.data } };
    case 'reasoning':
      return { ...turn, draft: { ...draft, reasoning: draft.reasoning + event.data } };
    case 'call_delta':
      return { ...turn, draft: { ...draft, calls: drawCall(draft, event) } };
    case 'nested':
      return within(turn, event);
    default:
      return turn;
  }
}

/** What happened in a call that is a run of another agent, folded as any run is. */
function within(turn: Turn, { id, event }: EventOf<'nested'>): Turn {
  return inCall(turn, id, (call) => {
    const nested = call.nested ?? begin(event);
    if (event.seq <= nested.seq) return call;
    const next = isProvisional(event) ? draw(nested, event) : commit(nested, event);
    return { ...call, nested: next };
  });
}

function drawCall(draft: Draft, event: EventOf<'call_delta'>): Draft['calls'] {
  const at = draft.calls.findIndex((call) => call.index === event.index);
  const call = draft.calls[at] ?? { index: event.index, tool: '', arguments: '' };
  const calls = draft.calls.slice();
  calls[at < 0 ? calls.length : at] = {
    index: call.index,
    tool: event.tool ?? call.tool,
    arguments: call.arguments + (event.arguments ?? ''),
  };
  return calls;
}

function commit(turn: Turn, event: Event): Turn {
  const record = recorded(turn.record, event);
  const settled = { ...turn, seq: event.seq, lastAt: event.at, draft: undefined, record };
  if (event.type === 'nested') return within(settled, event);
  return applyToCall(settled, event) ?? applyToRound(settled, event) ?? applyToTurn(settled, event);
}

/** What an event changes in the run as a whole. A kind that is not known changes nothing. */
function applyToTurn(turn: Turn, event: Event): Turn {
  switch (event.type) {
    case 'run_started': {
      const { model, limits, price, mode = 'loop', review = 'off', output, at } = event;
      const hasForm = output !== undefined && output !== null;
      const after = event.after ?? undefined;
      const toolsOff = event.tools_off ?? [];
      const how = { model, limits, price, mode, review, hasForm, toolsOff };
      return { ...turn, after, ...how, startedAt: at };
    }
    case 'message':
      return message(turn, event);
    case 'model_fallback':
      return fallback(turn, event);
    case 'round_started':
      return { ...turn, rounds: [...turn.rounds, round(event)] };
    case 'done': {
      const { response, finish_reason: finish, usage, at } = event;
      return { ...turn, response, finish, usage, spent: spentOf(event), endedAt: at };
    }
    case 'error': {
      const { kind, message: text, advice, response, usage, at } = event;
      const of = 'of' in event ? event.of : undefined;
      const error = { kind, of, message: text, advice, response };
      return { ...turn, error, response, usage, spent: spentOf(event), endedAt: at };
    }
    default: {
      const note = noteOf(event);
      return note ? addNote(turn, note) : turn;
    }
  }
}

/** What a run cost in all, in the unit its prices speak of. */
function spentOf(event: EventOf<'done'> | EventOf<'error'>): number | undefined {
  const { cost_millionths: cost } = event;
  return typeof cost === 'number' ? cost / 1e6 : undefined;
}

/** Another model goes on, at its own price. What the one before had begun to say is gone with the draft. */
function fallback(turn: Turn, event: EventOf<'model_fallback'>): Turn {
  const { from, to, reason, price, at } = event;
  const usage = event.usage ? plus(turn.usage, event.usage) : turn.usage;
  const charged = { cost: cost({ ...turn, usage }), usage };
  const text = () =>
    t('{from} gave no reply ({reason}): {to} goes on', { from, reason: String(reason), to });
  const next = { ...turn, usage, charged, price, model: to };
  return addNote(next, worded({ kind: 'fallback', at }, text));
}

function message(turn: Turn, event: EventOf<'message'>): Turn {
  const { role, content, origin, steers, attachments = [] }: AnyMessage = event.message;
  const text = content ?? '';
  const isTurn = origin !== 'runtime' && origin !== 'project';
  if (role === 'user' && isTurn && steers === true) {
    const said = { text, attachments, behind: event.round };
    return { ...turn, steered: [...turn.steered, said] };
  }
  if (role === 'user' && isTurn) return { ...turn, question: text, attachments };
  // Results put into words: the answer of a single shot.
  if (role === 'assistant') return { ...turn, response: text };
  return turn;
}

function round(event: EventOf<'round_started'>): Round {
  return {
    number: event.round,
    seq: event.seq,
    of: event.of,
    toolChoice: event.tool_choice,
    startedAt: event.at,
    repliedAt: undefined,
    retries: [],
    content: '',
    reasoning: '',
    usage: undefined,
    finish: undefined,
    calls: [],
    inWords: false,
    returned: undefined,
    review: undefined,
    notes: [],
  };
}

/** What an event changes in the last round; undefined where it is not about a round. */
function applyToRound(turn: Turn, event: Event): Turn | undefined {
  switch (event.type) {
    case 'model_retry': {
      const { attempt, wait_ms: waitMs, reason, at } = event;
      const more = { attempt, waitMs, reason, at };
      return inRound(turn, (it) => ({ ...it, retries: [...it.retries, more] }));
    }
    case 'reply': {
      const { usage, finish, at } = event;
      const said: AnyMessage = event.message;
      const told = inRound(turn, (it) => {
        // What nothing supports is not shown: the verdict stands before the reply.
        const content = it.review?.verdict === 'withheld' ? '' : (said.content ?? '');
        return { ...it, content, reasoning: said.reasoning ?? '', usage, finish, repliedAt: at };
      });
      return { ...told, usage: plus(turn.usage, usage) };
    }
    case 'output_requested':
      // Where there are no tools it is asked for at once, and nothing was said before.
      return turn.rounds.length > 0 ? inRound(turn, (it) => ({ ...it, inWords: true })) : turn;
    case 'answer_rejected': {
      const { guard, reason } = event;
      return inRound(turn, (it) => ({ ...it, returned: { guard, reason } }));
    }
    case 'reviewed': {
      const { findings, verdict, checked = 0, usage, at } = event;
      const review = { findings, verdict, checked, at };
      const told = inRound(turn, (it) => ({ ...it, review }));
      return usage ? { ...told, usage: plus(turn.usage, usage) } : told;
    }
    default:
      return undefined;
  }
}

function inRound(turn: Turn, change: (round: Round) => Round): Turn {
  const last = turn.rounds.at(-1);
  return last ? { ...turn, rounds: [...turn.rounds.slice(0, -1), change(last)] } : turn;
}

function noteOf(event: Event): Note | undefined {
  const { at } = event;
  switch (event.type) {
    case 'notice':
      return { kind: 'notice', text: event.message, list: [], at };
    case 'limit_reached':
      return { kind: 'limit', text: event.message, list: [], at };
    case 'compacted': {
      const { replaced } = event;
      return worded({ kind: 'compacted', at }, () =>
        tn(
          replaced,
          '{count} older message was replaced by a digest',
          '{count} older messages were replaced by a digest',
        ),
      );
    }
    case 'tools_offered':
      return offered(event);
    case 'tools_changed':
      return changed(event);
    default:
      return undefined;
  }
}

function offered({ tools, of, unavailable = [], at }: EventOf<'tools_offered'>): Note {
  // By which a model finds others is none of them, here and where tools are listed.
  const finders = tools.filter((it) => it === FINDER).length;
  const text = () =>
    t('{count} of {all} tools offered', { count: tools.length - finders, all: of - finders });
  if (unavailable.length === 0) return worded({ kind: 'offered', at }, text, () => tools);
  const list = unavailable.map((it) => `${it.tool} ${it.reason}`);
  return worded({ kind: 'unavailable', at }, text, () => list);
}

function changed(event: EventOf<'tools_changed'>): Note {
  const { added = [], removed = [], changed = [], withheld = [], at } = event;
  const list = () => [
    ...added.map((tool) => t('{tool} is new', { tool })),
    ...removed.map((tool) => t('{tool} is gone', { tool })),
    ...changed.map((tool) => t('{tool} has changed', { tool })),
    ...withheld.map(({ tool, reason }) => t('{tool} is withheld: {reason}', { tool, reason })),
  ];
  const isOnly = added.length + removed.length + changed.length === 0;
  const text = () => (isOnly ? t('Tools withheld') : t('Tools changed'));
  return worded({ kind: 'unavailable', at }, text, list);
}

/** A note in words of the page: they are found when it is shown, in the language of then. */
function worded(
  note: Pick<Note, 'kind' | 'at'>,
  text: () => string,
  list: () => readonly string[] = () => [],
): Note {
  return {
    ...note,
    get text() {
      return text();
    },
    get list() {
      return list();
    },
  };
}

function addNote(turn: Turn, note: Note): Turn {
  if (turn.rounds.length === 0) return { ...turn, notes: [...turn.notes, note] };
  return inRound(turn, (it) => ({ ...it, notes: [...it.notes, note] }));
}

function plus(a: Usage, b: Usage): Usage {
  const sum: Usage = {
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    completion_tokens: a.completion_tokens + b.completion_tokens,
  };
  const cached = (a.cached_tokens ?? 0) + (b.cached_tokens ?? 0);
  const reasoning = (a.reasoning_tokens ?? 0) + (b.reasoning_tokens ?? 0);
  if (cached > 0) sum.cached_tokens = cached;
  if (reasoning > 0) sum.reasoning_tokens = reasoning;
  return sum;
}
