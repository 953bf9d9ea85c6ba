/**
 * `sent`: the messages that a model was sent in a round, and `fill`: what of its window they take.
 *
 * Both are folds of the same events that the runtime folds into its conversation, with its own measures
 * (`crates/core/src/conversation/compaction.rs`): four bytes are about a token where nobody counted, and
 * what a provider counted tells how many they really are.
 */

import type { Entry, Turn } from './model';
import type { AnyMessage, Attachment, Event } from './types';

/** The record behind one more event. */
export function recorded(record: readonly Entry[], event: Event): readonly Entry[] {
  const { round } = event;
  switch (event.type) {
    case 'message':
    case 'call_finished':
      return [...record, { round, adds: [event.message], replaces: false }];
    case 'reply':
      return isSilent(event.message)
        ? record
        : [...record, { round, adds: [event.message], replaces: false }];
    case 'compacted': {
      const adds = Array.isArray(event.messages) ? event.messages : [];
      return [...record, { round, adds, replaces: true }];
    }
    default:
      return record;
  }
}

/** Whether a reply says nothing, and is therefore no part of what is sent. */
function isSilent({ content, tool_calls }: AnyMessage): boolean {
  return (content ?? '').trim() === '' && (tool_calls ?? []).length === 0;
}

/** The messages of the request of a round, in the order in which the model read them. */
export function sent(turns: readonly Turn[], run: string, round: number): AnyMessage[] {
  const last = turns.findIndex((turn) => turn.run === run);
  let messages: AnyMessage[] = [];
  for (const [index, turn] of turns.slice(0, last + 1).entries()) {
    for (const entry of turn.record) {
      if (index === last && entry.round >= round) break;
      if (entry.replaces) messages = [];
      messages.push(...entry.adds);
    }
  }
  return inOrder(messages);
}

/** Results stand behind their calls, in the order of the calls; they came in the order in which they were there. */
function inOrder(messages: readonly AnyMessage[]): AnyMessage[] {
  const ordered: AnyMessage[] = [];
  let open: string[] = [];
  let results: AnyMessage[] = [];
  const close = () => {
    const place = ({ tool_call_id: id }: AnyMessage) => open.indexOf(id ?? '');
    ordered.push(...results.sort((a, b) => place(a) - place(b)));
    results = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      results.push(message);
      continue;
    }
    close();
    open = (message.tool_calls ?? []).map((call) => call.id);
    ordered.push(message);
  }
  close();
  return ordered;
}

/** What a window is filled with. */
export type Part = 'system' | 'project' | 'tools' | 'history' | 'results';

export interface Fill {
  /** About how many tokens the next request has. */
  readonly tokens: number;
  /** Whether that rests on what the provider counted. */
  readonly isCounted: boolean;
  readonly parts: Readonly<Record<Part, number>>;
}

type Bytes = Record<Exclude<Part, 'tools'>, number>;

const none: Bytes = { system: 0, project: 0, history: 0, results: 0 };

/** What fills the window of the model that is asked next. `tools` are the bytes of their definitions. */
export function fill(turns: readonly Turn[], tools: number): Fill {
  let bytes = none;
  let factor: number | undefined;
  for (const turn of turns) {
    const { rounds } = turn;
    for (const [index, { number, usage }] of rounds.entries()) {
      if (!usage || usage.prompt_tokens === 0 || index < rounds.length - 1) continue;
      const then = total(before(bytes, turn, number));
      if (then > 0) factor = usage.prompt_tokens / then;
    }
    bytes = whole(bytes, turn);
  }
  const all = total(bytes) + tools;
  // The provider counted the tools with the rest, so its factor is about the messages alone.
  const tokens = Math.ceil(factor === undefined ? all / 4 : total(bytes) * factor);
  const scale = all === 0 ? 0 : tokens / all;
  const of = (it: number) => Math.round(it * scale);
  const { system, project, history, results } = bytes;
  return {
    tokens,
    isCounted: factor !== undefined,
    parts: {
      system: of(system),
      project: of(project),
      tools: of(tools),
      history: of(history),
      results: of(results),
    },
  };
}

function total(bytes: Bytes): number {
  return bytes.system + bytes.project + bytes.history + bytes.results;
}

/** What a turn has added since its record last began anew. A turn never changes, so it is counted once. */
const counted = new WeakMap<readonly Entry[], { replaces: boolean; bytes: Bytes }>();

function whole(bytes: Bytes, { record }: Turn): Bytes {
  let own = counted.get(record);
  if (!own) {
    const from = record.findLastIndex((entry) => entry.replaces);
    own = { replaces: from >= 0, bytes: added(none, record.slice(Math.max(from, 0))) };
    counted.set(record, own);
  }
  return own.replaces ? own.bytes : plus(bytes, own.bytes);
}

function before(bytes: Bytes, { record }: Turn, round: number): Bytes {
  const earlier = record.filter((entry) => entry.round < round);
  const from = earlier.findLastIndex((entry) => entry.replaces);
  return from < 0 ? added(bytes, earlier) : added(none, earlier.slice(from));
}

function added(bytes: Bytes, record: readonly Entry[]): Bytes {
  const sum = { ...bytes };
  for (const message of record.flatMap((entry) => entry.adds))
    sum[partOf(message)] += size(message);
  return sum;
}

function plus(a: Bytes, b: Bytes): Bytes {
  return {
    system: a.system + b.system,
    project: a.project + b.project,
    history: a.history + b.history,
    results: a.results + b.results,
  };
}

function partOf({ role, origin }: AnyMessage): keyof Bytes {
  if (role === 'system') return 'system';
  if (role === 'tool') return 'results';
  return role === 'user' && origin === 'project' ? 'project' : 'history';
}

const encoder = new TextEncoder();

/** How many bytes a text has in a request. */
export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/** How many bytes of a message the model is sent. */
export function size({ content, tool_calls, attachments }: AnyMessage): number {
  const calls = (tool_calls ?? []).map(
    ({ function: it }) => bytesOf(it.name) + bytesOf(it.arguments),
  );
  const attached = (attachments ?? []).map(attachedSize);
  return [...calls, ...attached].reduce((sum, it) => sum + it, bytesOf(content ?? ''));
}

/** A text counts for what it is long, anything else for about what providers take for a picture. */
function attachedSize({ media_type, size }: Attachment): number {
  return media_type.startsWith('text/') ? Math.min(size, 200_000) : 4_000;
}
