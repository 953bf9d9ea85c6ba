/**
 * `Event`: one change to a run, as the server sends it and as logs keep it.
 *
 * These types follow `crates/core/src/event.rs`. A kind that is not listed here is
 * ignored, so that a newer server and older page go together.
 */

/** What JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** How a call ended. */
export type Status =
  'success' | 'error' | 'refused' | 'timeout' | 'denied' | 'cancelled' | 'interrupted';

/** What running a tool does to the world. */
export type Effect = 'read_only' | 'idempotent' | 'write' | 'destructive';

/** How a call was source from the model. */
export type CallSource = 'native' | 'extracted' | 'repaired';

export type ToolChoice = 'auto' | 'required' | 'none' | { tool: string };

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens?: number;
  reasoning_tokens?: number;
}

export interface Limits {
  rounds: number;
  calls: number;
  tokens?: number;
  cost_millionths?: number;
  wall_clock_ms?: number;
}

/** What a million tokens cost. */
export interface Price {
  input: number;
  output: number;
}

/** One entry of the conversation, in OpenAI's form with a few fields of ours. */
export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | null;
  /** On a user message: who is really behind it. */
  origin?: 'person' | 'runtime';
  /** On the model's message. */
  reasoning?: string;
  /** On a tool's result. */
  name?: string;
  tool_call_id?: string;
  status?: Status;
  /** The result as data, where `content` is not itself that data as JSON. */
  data?: Json;
  /** The same in words, where `content` is JSON for the model. */
  words?: string;
  /** What only people read. */
  detail?: string;
  /** The arguments as the tool understood them. */
  input?: Json;
}

/** A call as the model proposed it. `args` is the raw text where it is not JSON. */
export interface RequestedCall {
  id: string;
  tool: string;
  args: Json;
  status: 'pending';
  source?: CallSource;
}

/** Where one value of a call's arguments came from. `argument` and `pointer` are JSON pointers. */
export type Provenance = { argument: string } & (
  | { from: 'result'; call: string; tool: string; pointer: string }
  | { from: 'user' }
  | { from: 'configured' }
);

/** What a person is shown before deciding. */
export interface PreviewContent {
  kind: 'diff' | 'command';
  text: string;
}

export interface RuleTarget {
  text: string;
  exact?: boolean;
  read_only?: boolean;
  certain?: number;
}

/** What a call would do. */
export interface CallPreview {
  place?: string;
  content?: PreviewContent;
  targets?: 'arguments' | { these: RuleTarget[] } | { unclear: string };
  always?: string[];
  review_reason?: string;
  /** Why the rules want the approver to look at it. */
  rule_concern?: string;
  read_only?: boolean;
}

export type Decision =
  | { verdict: 'allow' }
  | { verdict: 'allow_reviewed' }
  | { verdict: 'deny'; reason?: string }
  | { verdict: 'edit'; arguments: Json };

/** What a layer did about a call. */
export interface PolicyNote {
  layer: string;
  action: string;
  message: string;
}

/** How strictly answers are held against the results. */
export type ReviewMode = 'off' | 'warn' | 'enforce' | 'replace';

/** What came of that. */
export type Verdict =
  'passed' | 'nothing_to_check' | 'not_supported' | 'returned' | 'replaced' | 'withheld';

/** Something wrong with an answer. */
export interface Finding {
  check: 'supported' | 'answered' | 'judged';
  kind: 'figure' | 'date' | 'name' | 'id' | 'quote' | 'empty' | 'apology' | 'claim';
  text: string;
}

export interface UnavailableTool {
  tool: string;
  reason: string;
}

export interface CallSummary {
  tool: string;
  status: Status;
  args: Json;
}

/** Why a run has no answer. */
export interface Failure {
  kind: string;
  of?: string;
  message: string;
  advice?: string;
  response?: string;
}

/** What every event carries. `seq` is its place in the run, `at` is in milliseconds since 1970. */
interface Head {
  seq: number;
  run: string;
  round: number;
  at: number;
}

type Kind =
  | {
      type: 'run_started';
      version: number;
      conversation_id: string;
      model: string;
      limits: Limits;
      first_choice?: ToolChoice;
      mode?: 'loop' | 'single_shot';
      review?: ReviewMode;
      judge?: boolean;
      price?: Price;
    }
  | { type: 'message'; message: Message }
  | { type: 'round_started'; of: number; tool_choice: ToolChoice }
  | { type: 'content'; data: string }
  | { type: 'reasoning'; data: string }
  | { type: 'call_delta'; index: number; tool?: string; arguments?: string }
  | { type: 'model_retry'; attempt: number; wait_ms: number; reason: string }
  | { type: 'reply'; message: Message; finish: string; usage: Usage }
  | { type: 'tool_calls'; tool_calls: RequestedCall[] }
  | {
      type: 'call_checked';
      id: string;
      tool: string;
      arguments: Json;
      effect: Effect;
      provenance?: Provenance[];
      review_reason?: string;
    }
  | { type: 'decision_needed'; calls: string[] }
  | ({ type: 'call_preview'; id: string; fingerprint: string } & CallPreview)
  | { type: 'decision_made'; id: string; fingerprint?: string; decision: Decision }
  | { type: 'call_started'; id: string; tool: string }
  | { type: 'call_progress'; id: string; data: string }
  | ({ type: 'policy_applied'; id: string } & PolicyNote)
  | { type: 'full_result'; id: string; text: string }
  | {
      type: 'call_finished';
      id: string;
      tool: string;
      status: Status;
      message: Message;
      elapsed_ms: number;
      guard?: string;
    }
  | { type: 'answer_rejected'; guard: string; reason: string }
  | {
      type: 'reviewed';
      findings: Finding[];
      verdict: Verdict;
      checked?: number;
      usage?: Usage;
    }
  | { type: 'compacted'; replaced: number }
  | { type: 'tools_offered'; tools: string[]; of: number; unavailable?: UnavailableTool[] }
  | { type: 'limit_reached'; limit: string; message: string }
  | { type: 'notice'; message: string; id?: string }
  | {
      type: 'done';
      response: string;
      finish_reason: string;
      tools_executed?: number;
      tool_calls: CallSummary[];
      usage: Usage;
      conversation_id: string;
    }
  | ({
      type: 'error';
      tool_calls: CallSummary[];
      usage: Usage;
      conversation_id: string;
    } & Failure);

/** One change to a run. */
export type Event = Head & Kind;

/** The events of one kind. */
export type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

/** An event with its place in the conversation: `12`, or `12.3` for a provisional one. */
export interface Item {
  position?: string;
  event: Event;
}

/** Whether an event is shown and not kept. */
export function isProvisional(event: Event): boolean {
  return event.type === 'content' || event.type === 'reasoning' || event.type === 'call_delta';
}
