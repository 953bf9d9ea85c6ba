/** `isEvent`: whether a value from outside is an event the page can show. */

import type { Event } from './types';

type Check = (value: unknown) => boolean;
type Fields = Record<string, Check>;

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const flag: Check = (value) => typeof value === 'boolean';
const anything: Check = (value) => value !== undefined;
/** The last moment a date can hold. */
const moment: Check = (value) => number(value) && Math.abs(value as number) <= 8.64e15;
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const one =
  (...words: string[]): Check =>
  (value) =>
    words.some((word) => word === value);

function record(fields: Fields): Check {
  const checks = Object.entries(fields);
  return (value) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
    return checks.every(([name, check]) => check((value as Record<string, unknown>)[name]));
  };
}

const status = one('success', 'error', 'refused', 'timeout', 'denied', 'cancelled', 'interrupted');
const choice: Check = (value) => text(value) || record({ tool: text })(value);
const usage = record({
  prompt_tokens: number,
  completion_tokens: number,
  cached_tokens: maybe(number),
  reasoning_tokens: maybe(number),
});
const digest: Check = (value) => text(value) && /^[0-9a-f]{64}$/.test(value as string);
const attachment = record({
  digest,
  media_type: text,
  size: number,
  name: maybe(text),
  at: maybe(number),
  origin: maybe(text),
});
/** A call as the model wrote it. */
const written = record({ id: text, function: record({ name: text, arguments: text }) });
const message = record({
  role: text,
  content: (value) => value === null || maybe(text)(value),
  origin: maybe(text),
  steers: maybe(flag),
  reasoning: maybe(text),
  words: maybe(text),
  detail: maybe(text),
  attachments: maybe(list(attachment)),
  tool_calls: maybe(list(written)),
  tool_call_id: maybe(text),
  name: maybe(text),
});
const price = record({ input: number, output: number });
const limits = record({ rounds: number, calls: number });
const point: Check = (value) =>
  record({ from: one('start') })(value) ||
  record({ from: one('event'), run: text, seq: number })(value);
const call = record({ id: text, tool: text, args: anything, source: maybe(text) });
const provenance: Check = (value) =>
  record({ argument: text, from: text })(value) &&
  (!record({ from: one('result') })(value) ||
    record({ call: text, tool: text, pointer: text })(value));
const decision: Check = (value) =>
  record({ verdict: text, reason: maybe(text) })(value) &&
  (!record({ verdict: one('edit') })(value) || record({ arguments: anything })(value));
/** Lists of which no two have the same: no list on the page takes that. */
const distinct =
  (check: Check, key: string): Check =>
  (value) =>
    list(check)(value) &&
    new Set((value as Record<string, unknown>[]).map((it) => it[key])).size ===
      (value as unknown[]).length;
const option = record({ value: text, title: maybe(text) });
const field: Check = (value) =>
  record({
    name: text,
    title: maybe(text),
    description: maybe(text),
    required: maybe(flag),
    enum_names: maybe(flag),
    type: one('text', 'number', 'integer', 'boolean', 'choice', 'multiple_choice'),
  })(value) && fields.get((value as { type: string }).type)?.(value) === true;
const bounds = { minimum: maybe(number), maximum: maybe(number), default: maybe(number) };
const fields = new Map<string, Check>([
  [
    'text',
    record({
      format: maybe(text),
      min_length: maybe(number),
      max_length: maybe(number),
      default: maybe(text),
    }),
  ],
  ['number', record(bounds)],
  ['integer', record(bounds)],
  ['boolean', record({ default: maybe(flag) })],
  ['choice', record({ options: distinct(option, 'value'), default: maybe(text) })],
  ['multiple_choice', record({ options: distinct(option, 'value'), default: maybe(list(text)) })],
]);
const question: Check = (value) =>
  record({ message: text, asker: maybe(text), name: maybe(text) })(value) &&
  (record({ mode: one('url'), url: text, host: text })(value) ||
    record({ mode: one('form'), fields: distinct(field, 'name') })(value));
const subject = {
  text,
  exact: maybe(flag),
  read_only: maybe(flag),
  certain: maybe(number),
};
const targets: Check = (value) =>
  text(value) ||
  record({ these: list(record(subject)) })(value) ||
  record({ unclear: text })(value);

/** What each kind must have for the page to show it. */
const kinds: Record<Event['type'], Fields> = {
  run_started: {
    version: number,
    conversation_id: text,
    after: maybe(point),
    model: text,
    limits,
    mode: maybe(text),
    price: maybe(price),
    output: maybe(record({ name: text })),
    tools_off: maybe(list(text)),
  },
  message: { message, queued: maybe(text) },
  output_requested: {},
  round_started: { of: number, tool_choice: choice },
  content: { data: text },
  reasoning: { data: text },
  call_delta: { index: number, tool: maybe(text), arguments: maybe(text) },
  model_retry: { attempt: number, wait_ms: number, reason: text },
  model_fallback: {
    from: text,
    to: text,
    reason: text,
    price: maybe(price),
    usage: maybe(usage),
  },
  reply: { message, finish: text, usage },
  tool_calls: { tool_calls: list(call) },
  call_checked: {
    id: text,
    tool: text,
    arguments: anything,
    effect: text,
    provenance: maybe(list(provenance)),
    review_reason: maybe(text),
  },
  decision_needed: { calls: list(text) },
  call_preview: {
    id: text,
    fingerprint: text,
    place: maybe(text),
    content: maybe(record({ kind: text, text })),
    targets: maybe(targets),
    always: maybe(list(text)),
    review_reason: maybe(text),
    rule_concern: maybe(text),
    read_only: maybe(flag),
  },
  decision_made: { id: text, decision },
  call_started: { id: text, tool: text },
  call_progress: { id: text, data: text },
  question_asked: { id: text, question_id: text, tool: text, question },
  question_answered: {
    id: text,
    question_id: text,
    answer: record({ action: one('accept', 'decline', 'cancel') }),
  },
  policy_applied: { id: text, layer: text, action: text, message: text },
  nested: { id: text, event: (value) => !isTooDeep(value) && isEvent(value) },
  full_result: { id: text, text },
  call_finished: { id: text, tool: text, status, message, elapsed_ms: number, guard: maybe(text) },
  answer_rejected: { guard: text, reason: text },
  reviewed: {
    findings: list(record({ check: text, kind: text, text })),
    verdict: text,
    checked: maybe(number),
    usage: maybe(usage),
  },
  compacted: { replaced: number, messages: maybe(list(message)) },
  tools_offered: {
    tools: list(text),
    of: number,
    unavailable: maybe(list(record({ tool: text, reason: text }))),
  },
  tools_changed: {
    added: maybe(list(text)),
    removed: maybe(list(text)),
    changed: maybe(list(text)),
    withheld: maybe(list(record({ tool: text, reason: text }))),
  },
  limit_reached: { limit: text, message: text },
  notice: { message: text, id: maybe(text) },
  done: { response: text, finish_reason: text, usage },
  error: { kind: text, of: maybe(text), message: text, advice: maybe(text), usage },
};

/** Runs within runs: a file that has more of them in each other is no log of ours, and would take the stack. */
const DEEPEST = 16;

function isTooDeep(value: unknown): boolean {
  let inner = value as { type?: unknown; event?: unknown } | null | undefined;
  for (let depth = 0; inner?.type === 'nested'; depth += 1) {
    if (depth > DEEPEST) return true;
    inner = inner.event as typeof inner;
  }
  return false;
}

const head = record({ seq: number, run: text, round: number, at: moment, type: text });
const checks = new Map(Object.entries(kinds).map(([kind, fields]) => [kind, record(fields)]));

/** Whether a value is an event. One of a kind that is not known is: it is ignored later. */
export function isEvent(value: unknown): value is Event {
  if (!head(value)) return false;
  const check = checks.get((value as Event).type);
  return check === undefined || check(value);
}
