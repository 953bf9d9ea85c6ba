/* Written from the types in `crates/core` by `crates/core/tests/it/page_types.rs`: change those, not this.
   `UPDATE=1 cargo test -p toolwright-core page_types` writes it anew. */

/** What JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What a run gives back when it has an answer. */
export type Answer = {
  /** The conversation it belongs to. */
  conversation_id: ConversationId;
  /** What that cost in money, in millionths of the unit that the prices speak of, where one is known. */
  cost_millionths?: number;
  /** Whether it reports a call that failed: results that are the answer may say that there are none. */
  failed?: boolean;
  /** Why the model stopped. */
  finish_reason: FinishReason;
  /** The answer. */
  response: string;
  /** Every call of the run, in order. */
  tool_calls: CallSummary[];
  /** How many tools really ran. */
  tools_executed: number;
  /** What the run used. */
  usage: Usage;
};

/** A picture, a file or a sound that stands in a message or in a result. */
export type Attachment = {
  /** How many characters of the text stand before it. */
  at?: number;
  /** What its bytes are known by. */
  digest: Digest;
  /** What it is. */
  media_type: MediaType;
  /** What it is called. */
  name?: string;
  /** Who put it there. Only what the user attached counts as given by the user. */
  origin?: Author;
  /** How many bytes it has. */
  size: number;
};

/** Who is really behind a user message. */
export type Author = 'person' | 'runtime' | 'agent' | 'imported' | 'project' | 'client' | 'server';

/** Where a run goes on from, where that is not the end of the run before it. */
export type BranchPoint = {
  from: 'start';
} | {
  from: 'event';
  /** The run. */
  run: RunId;
  /** The event's place in it. */
  seq: number;
};

/** A call as it is written, in OpenAI's form. */
export type Call = {
  extra?: { [key: string]: Json };
  function: {
    arguments: string;
    name: string;
  };
  id: CallId;
  source?: CallSource;
  type: 'function';
};

/** Names one call of a tool, unique within its conversation; pairs the call with its result. */
export type CallId = string;

/** How a call was obtained from the model. */
export type CallSource = 'native' | 'extracted' | 'repaired';

/** One call, in a line. */
export type CallSummary = {
  /** The arguments. */
  args: Json;
  /** How it ended. */
  status: Status;
  /** The tool. */
  tool: string;
};

/** What stands for the older part of a conversation. It holds everything that is left of the
 * conversation at that moment: whoever loads one need not read what came before. */
export type CompactedHistory = {
  /** The tools that answered. */
  answered: string[];
  /** Whether a part of what it stands for was not written here. */
  foreign?: boolean;
  /** What the digest tells, oldest first. */
  lines?: HistoryLine[];
  /** What the model is sent from now on: the instructions, the digest, and the messages that
   * were kept as they are. */
  messages: Message[];
  /** How many messages it stands for. */
  replaced: number;
  /** What earlier results returned. */
  returned: ReturnedValue[];
  /** What the person said. */
  said: string[];
};

/** Names a conversation: the messages that one run after another adds to. */
export type ConversationId = string;

/** A decision about one call. It is good for that call alone, and only as it was shown. */
export type Decision = {
  verdict: 'allow';
} | {
  verdict: 'allow_reviewed';
} | {
  /** Why, in words for the model. */
  reason?: string;
  verdict: 'deny';
} | {
  /** The arguments, all of them. */
  arguments: Json;
  verdict: 'edit';
};

export type Digest = string;

/** What a run gives back when it has no answer: what happened, and what to do about it. */
export type Failure = ({
  kind: 'model';
  of: ModelErrorKind;
} | {
  kind: 'empty_replies';
} | {
  kind: 'content_filter';
} | {
  kind: 'refused';
} | {
  kind: 'truncated';
} | {
  kind: 'output';
} | {
  kind: 'limit';
  of: Limit;
} | {
  kind: 'source_missing';
} | {
  kind: 'cancelled';
} | {
  kind: 'storage';
  of: JournalErrorKind;
} | {
  kind: 'interrupted';
}) & {
  /** What a person can do about it. */
  advice?: string;
  /** The conversation it belongs to. */
  conversation_id: ConversationId;
  /** What that cost in money, in millionths of the unit that the prices speak of, where one is known. */
  cost_millionths?: number;
  /** What happened, in one line. */
  message: string;
  /** Text the model had already said. */
  response?: string;
  /** Every call of the run, in order. */
  tool_calls: CallSummary[];
  /** What the run used. */
  usage: Usage;
};

/** Something that can be chosen. */
export type FieldOption = {
  /** What people read, where that is something else. */
  title?: string;
  /** What the answer says. */
  value: string;
};

/** One thing a review found wrong with an answer. */
export type Finding = {
  /** Which question the answer failed. */
  check: ReviewCheck;
  /** What the text is. */
  kind: FindingKind;
  /** The piece of the answer it is about; empty when it is about the whole. */
  text: string;
};

/** What a finding is about. */
export type FindingKind = 'figure' | 'date' | 'name' | 'id' | 'quote' | 'empty' | 'apology' | 'undone' | 'claim';

/** What exactly a decision is about: the tool, the arguments, the place, and what was shown of it. A
 * call that differs in any of these is another call. */
export type Fingerprint = string;

/** Why a model stopped. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'refusal';

/** A line of a digest: a message in short. */
export type HistoryLine = {
  /** Whose words it tells. */
  speaker: Speaker;
  /** The line, without a name before it. */
  text: string;
};

/** What kind of failure it was. */
export type JournalErrorKind = 'busy' | 'full' | 'not_held' | 'conflict' | 'unavailable';

/** One of the [`Limits`]. */
export type Limit = 'rounds' | 'calls' | 'tokens' | 'cost' | 'wall_clock';

/** What bounds a run. */
export type Limits = {
  /** Calls in all. */
  calls: number;
  /** Money in all, in millionths of the unit that [`Price`] speaks of. */
  cost_millionths?: number;
  /** Rounds in which the model may call tools; after them it has one more to answer in. */
  rounds: number;
  /** Tokens read and written in all; estimated where a provider does not report them. */
  tokens?: number;
  /** Time from start to end, without the time in which somebody is asked about a call. */
  wall_clock_ms?: number;
};

/** What bytes are: `image/png`. In small letters, without parameters. */
export type MediaType = string;

/** One entry of a conversation, in OpenAI's form with a few fields of ours. */
export type Message = {
  content: string;
  role: 'system';
} | {
  /** What is attached, by the digests of its bytes. */
  attachments?: Attachment[];
  content: string;
  /** Who is really behind it; a person where nothing is said. */
  origin?: Author;
  role: 'user';
  /** Whether it was said to a run that went on already. */
  steers?: boolean;
} | {
  /** Null where it only calls tools. */
  content: string | null;
  extra?: { [key: string]: Json };
  /** Which model said it. */
  model?: string;
  reasoning?: string;
  role: 'assistant';
  tool_calls?: Call[];
} | {
  /** What is attached, by the digests of its bytes. */
  attachments?: Attachment[];
  content: string;
  /** The result as data, where `content` is not itself that data as JSON. */
  data?: Json;
  /** What only people read. */
  detail?: string;
  /** The arguments it ran with, where somebody changed them. */
  edited_arguments?: Json;
  /** The arguments as the tool understood them. */
  input?: Json;
  /** How much of `content` behind that is the mark of success or failure. */
  mark?: number;
  name: string;
  /** How much of `content` is a note of the runtime's. */
  notice?: number;
  /** Why it is no result, without what the runtime put around that. */
  reason?: string;
  role: 'tool';
  status: Status;
  tool_call_id: CallId;
  /** The same in words, where `content` is JSON for the model. */
  words?: string;
};

/** Names a message that waits for a run to take it up. */
export type MessageId = string;

/** What kind of failure it was. */
export type ModelErrorKind = 'not_configured' | 'connection' | 'timeout' | 'auth' | 'rate_limited' | 'quota' | 'request' | 'attachment' | 'too_long' | 'not_found' | 'server' | 'broken_reply' | 'recording';

/** The form an answer has to have: a JSON Schema.
 * 
 * It is asked for in a turn of its own behind the last one with tools, so that it never keeps a model from
 * calling one. */
export type OutputSchema = {
  /** What it is called. */
  name: string;
  /** The schema of the answer. */
  schema: Json;
};

/** The one status of a call that has not been checked yet. */
export type Pending = 'pending';

/** What a person is shown before deciding. */
export type PreviewContent = {
  kind: 'diff';
  text: string;
} | {
  kind: 'command';
  text: string;
};

/** What a model's tokens cost, per million of them, in whatever unit the owner pays in. */
export type Price = {
  /** A million tokens that the provider read from its cache; as dear as the others where nothing is said. */
  cached_input?: number;
  /** A million tokens read. */
  input: number;
  /** A million tokens written. */
  output: number;
};

/** Where one value of a call's arguments came from. */
export type Provenance = (ResultLocation & {
  from: 'result';
} | {
  from: 'user';
} | {
  from: 'configured';
}) & {
  /** The place in the arguments, as a JSON pointer. */
  argument: string;
};

/** What a tool asks the user while its call runs. */
export type Question = ({
  /** The fields, in order. */
  fields: QuestionField[];
  mode: 'form';
} | {
  /** Whose address it is, as a browser reads it. */
  host: string;
  mode: 'url';
  /** The address; `https` only. */
  url: string;
}) & {
  /** Who asks, where it is not the tool itself: the server that the tool belongs to. */
  asker?: string;
  /** What is asked, in words. */
  message: string;
  /** What it is called among the questions of its call, where answers are given by name. */
  name?: string;
};

/** What the user said to a tool's question. As JSON it is MCP's result of an elicitation. */
export type QuestionAnswer = {
  action: 'accept';
  /** The fields by their names; those that were left empty are not there. */
  content: { [key: string]: Json };
} | {
  action: 'decline';
} | {
  action: 'cancel';
};

/** One thing that a form asks for. */
export type QuestionField = ({
  /** What stands there at first. */
  default?: string;
  /** What kind of text. */
  format?: TextFormat;
  /** How many characters it has at most. */
  max_length?: number;
  /** How many characters it has at least. */
  min_length?: number;
  type: 'text';
} | {
  /** What stands there at first. */
  default?: number;
  /** The greatest. */
  maximum?: number;
  /** The least. */
  minimum?: number;
  type: 'number';
} | {
  /** What stands there at first. */
  default?: number;
  /** The greatest. */
  maximum?: number;
  /** The least. */
  minimum?: number;
  type: 'integer';
} | {
  /** What stands there at first. */
  default?: boolean;
  type: 'boolean';
} | {
  /** The one that is chosen at first, by its value. */
  default?: string;
  /** Those there are. */
  options: FieldOption[];
  type: 'choice';
} | {
  /** Those that are chosen at first, by their values. */
  default?: string[];
  /** How many are chosen at most. */
  max_items?: number;
  /** How many are chosen at least. */
  min_items?: number;
  /** Those there are. */
  options: FieldOption[];
  type: 'multiple_choice';
}) & {
  /** What it is for. */
  description?: string;
  /** Whether the titles of its choices are written as `enumNames` where the question is passed on, as
   * they were before MCP's revision 2025-11-25. */
  enum_names?: boolean;
  /** Its name in the answer. */
  name: string;
  /** Whether it must be filled in. */
  required?: boolean;
  /** What people call it. */
  title?: string;
};

/** Names a question that a tool asks the user, with the run in it. */
export type QuestionId = string;

/** A call as the model proposed it, for those who watch. */
export type RequestedCall = {
  /** The arguments; the raw text where they are not JSON. */
  args: Json;
  /** The call. */
  id: CallId;
  /** How the call was obtained: whether it was found in text, and had to be repaired there. */
  source: CallSource;
  /** `pending`: what became of it is told by `call_finished`. */
  status: Pending;
  /** The tool. */
  tool: string;
};

/** A place in an earlier result. */
export type ResultLocation = {
  /** The call whose result it is. */
  call: CallId;
  /** The place in the result, as a JSON pointer; empty for a result that is text. */
  pointer: string;
  /** The tool. */
  tool: string;
};

/** What becomes of the results. */
export type ResultMode = 'loop' | 'single_shot';

/** A value that an earlier result returned. */
export type ReturnedValue = {
  /** The call whose result it is. */
  call: CallId;
  /** Whether the result only repeated it: it stands in the call's own arguments. */
  echoed?: boolean;
  /** The key it stood under. */
  key: string;
  /** The place in the result, as a JSON pointer; empty for a result that is text. */
  pointer: string;
  /** The tool. */
  tool: string;
  /** The value, in the one spelling of all its spellings. */
  value: string;
};

/** A question an answer is asked. */
export type ReviewCheck = 'supported' | 'answered' | 'judged';

/** How strictly an answer is held against the results. */
export type ReviewMode = 'off' | 'warn' | 'enforce' | 'replace';

/** One thing a rule is held against. */
export type RuleTarget = {
  /** How many bytes at the beginning of the text are certain to be what runs; all of them where
   * nothing is said. Where a deny rule may be about the rest, the approver has to look. */
  certain?: number;
  /** Whether only a rule that names exactly this allows it: it can do more than its beginning
   * tells, as `find . -exec …` does. */
  exact?: boolean;
  /** Whether it changes nothing by itself: it needs no rule of its own beside others that are
   * allowed. */
  read_only?: boolean;
  /** The words: a command with its arguments, a path. */
  text: string;
};

/** What rules are held against: a call may run by rule only if each of its subjects may, and may not
 * if one of them may not. */
export type RuleTargets = 'arguments' | {
  these: RuleTarget[];
} | {
  unclear: string;
};

/** Names one run: one question and everything done to answer it. */
export type RunId = string;

/** Whose words a line of a digest tells. */
export type Speaker = 'user' | 'model' | {
  tool: {
    /** The tool. */
    name: string;
    /** How its call ended. */
    status: Status;
  };
};

/** How a call ended. Every call ends in exactly one of these. */
export type Status = 'success' | 'error' | 'refused' | 'timeout' | 'denied' | 'cancelled' | 'interrupted';

/** What kind of text. */
export type TextFormat = 'email' | 'uri' | 'date' | 'date-time' | 'password';

/** A moment, in milliseconds since 1970 (UTC). The run reads no clock: whoever drives it does. */
export type Timestamp = number;

/** What became of tools that come from elsewhere. */
export type ToolChanges = {
  /** Those that were not there. */
  added?: string[];
  /** Those that are told or treated in another way. */
  changed?: string[];
  /** Those that are not there any more. */
  removed?: string[];
  /** Those that are there and not offered, and why. */
  withheld?: UnavailableTool[];
};

/** Whether the model may, must or must not call a tool. */
export type ToolChoice = 'auto' | 'required' | 'none' | {
  tool: string;
};

/** What running a tool does to the world. Scheduling, retries, caching and approval follow from
 * this one word. */
export type ToolEffect = 'read_only' | 'idempotent' | 'write' | 'destructive';

/** A tool that is out of order for now. */
export type UnavailableTool = {
  /** Why, in words for the model. */
  reason: string;
  /** The tool. */
  tool: string;
};

/** What a model's work cost, in tokens. */
export type Usage = {
  /** Of the tokens read, those the provider had cached. */
  cached_tokens?: number;
  /** Tokens written. */
  completion_tokens: number;
  /** Tokens read. */
  prompt_tokens: number;
  /** Of the tokens written, those spent on reasoning. */
  reasoning_tokens?: number;
};

/** One change to a run. */
export type Event = ({
  /** Where it goes on from, where that is not the end of the run before it. */
  after?: BranchPoint;
  /** The conversation it adds to. */
  conversation_id: ConversationId;
  /** Whether the first round must call a tool. */
  first_choice: ToolChoice;
  /** Whether a model judges the answer, too. */
  judge?: boolean;
  /** What bounds it. */
  limits: Limits;
  /** What becomes of the results. */
  mode?: ResultMode;
  /** The model it asks. */
  model: string;
  /** The form the answer has to have. */
  output?: OutputSchema;
  /** What tokens cost. */
  price?: Price;
  /** Whether the answer is held against the results. */
  review?: ReviewMode;
  /** The tools that the user switched off for it, by name. */
  tools_off?: string[];
  type: 'run_started';
  /** The version of the event format. */
  version: number;
} | {
  /** The message. */
  message: Message;
  /** The one that waited in the conversation's queue, where it did: it waits no longer. */
  queued?: MessageId;
  type: 'message';
} | {
  type: 'output_requested';
} | {
  /** How many rounds may use tools. */
  of: number;
  /** Whether the model may, must or must not call one. */
  tool_choice: ToolChoice;
  type: 'round_started';
} | {
  /** The piece. */
  data: string;
  type: 'content';
} | {
  /** The piece. */
  data: string;
  type: 'reasoning';
} | {
  /** A piece of the arguments. */
  arguments?: string;
  /** Which call of this reply. */
  index: number;
  /** The tool, with the first piece. */
  tool?: string;
  type: 'call_delta';
} | {
  /** Which attempt begins, from 2. */
  attempt: number;
  /** Why the one before failed. */
  reason: string;
  type: 'model_retry';
  /** How long it waits before that. */
  wait_ms: number;
} | {
  /** The model that gave none. */
  from: string;
  /** What tokens cost from here on. */
  price?: Price;
  /** Why the first gave none, in one line. */
  reason: string;
  /** The model that is asked from here on. */
  to: string;
  type: 'model_fallback';
  /** What the first used up all the same. */
  usage?: Usage;
} | {
  /** Why the model stopped. */
  finish: FinishReason;
  /** The message. */
  message: Message;
  type: 'reply';
  /** What the reply cost. */
  usage: Usage;
} | {
  /** The calls, in the model's order. */
  tool_calls: RequestedCall[];
  type: 'tool_calls';
} | {
  /** The arguments as they were checked. */
  arguments: Json;
  /** What running it does to the world. */
  effect: ToolEffect;
  /** The call. */
  id: CallId;
  /** Where the values in its arguments came from, as far as that was asked. */
  provenance?: Provenance[];
  /** Why somebody has to look at it, whatever was approved beforehand. */
  review_reason?: string;
  /** The tool's own name. */
  tool: string;
  type: 'call_checked';
} | {
  /** The calls. */
  calls: CallId[];
  type: 'decision_needed';
} | {
  /** The patterns of subjects that are allowed from now on where somebody says "always"; where
   * there is none, exactly these subjects are. */
  always?: string[];
  /** What a person is shown in the place of the arguments. */
  content?: PreviewContent;
  /** What exactly is decided about. */
  fingerprint: Fingerprint;
  /** The call. */
  id: CallId;
  /** Where it would run. The same call in another place is another call. */
  place?: string;
  /** Whether it changes nothing, whatever the arguments make of it: the tool sees to that when it
   * runs. Such a call needs no question unless a rule asks for one. */
  read_only?: boolean;
  /** Why somebody has to look at it, even where calls like it were approved beforehand. */
  review_reason?: string;
  /** Why the rules want somebody to look at it, where they do. Not the tool's to say: whoever
   * decides is asked for it before it is shown. */
  rule_concern?: string;
  /** What rules are held against. */
  targets?: RuleTargets;
  type: 'call_preview';
} | {
  /** Whether nobody was asked for it: a rule decided, or what was approved beforehand did. */
  automatic?: boolean;
  /** The decision. */
  decision: Decision;
  /** What exactly it is about. */
  fingerprint?: Fingerprint;
  /** The call. */
  id: CallId;
  type: 'decision_made';
} | {
  /** The call. */
  id: CallId;
  /** The tool. */
  tool: string;
  type: 'call_started';
} | {
  /** What it says. */
  data: string;
  /** The call. */
  id: CallId;
  type: 'call_progress';
} | {
  /** What it did, in a word: `hit`, `again`, `opened`, … */
  action: string;
  /** The call. */
  id: CallId;
  /** The layer: `cache`, `retry`, `breaker`, … */
  layer: string;
  /** The same in a sentence, for people. */
  message: string;
  type: 'policy_applied';
} | {
  /** The call. */
  id: CallId;
  /** The question. */
  question: Question;
  /** The question's name in this run. */
  question_id: QuestionId;
  /** The tool. */
  tool: string;
  type: 'question_asked';
} | {
  /** The answer. */
  answer: QuestionAnswer;
  /** The call. */
  id: CallId;
  /** The question. */
  question_id: QuestionId;
  type: 'question_answered';
} | {
  /** What happened in its run. */
  event: Event;
  /** The call. */
  id: CallId;
  type: 'nested';
} | {
  /** The call. */
  id: CallId;
  /** The result. */
  text: string;
  type: 'full_result';
} | {
  /** How long the tool ran. */
  elapsed_ms: number;
  /** The guard that refused it. */
  guard?: string;
  /** The call. */
  id: CallId;
  /** The committed tool message. */
  message: Message;
  /** How it ended. */
  status: Status;
  /** The tool. */
  tool: string;
  type: 'call_finished';
} | {
  /** The guard that refused it. */
  guard: string;
  /** What the model is told. */
  reason: string;
  type: 'answer_rejected';
} | ({
  verdict: 'passed';
} | {
  verdict: 'nothing_to_check';
} | {
  verdict: 'not_supported';
} | {
  verdict: 'returned';
} | {
  verdict: 'replaced';
} | {
  verdict: 'withheld';
}) & {
  /** How many figures, dates, ids, names and quoted lines in it a source has. */
  checked?: number;
  /** What is wrong with it; nothing when it passed. */
  findings: Finding[];
  type: 'reviewed';
  /** What a judge's opinion cost. */
  usage?: Usage;
} | CompactedHistory & {
  type: 'compacted';
} | {
  /** How many there are. */
  of: number;
  /** Those that are offered. */
  tools: string[];
  type: 'tools_offered';
  /** Those that would be, but are out of order. */
  unavailable?: UnavailableTool[];
} | ToolChanges & {
  type: 'tools_changed';
} | {
  /** Which. */
  limit: Limit;
  /** What it was and how to raise it. */
  message: string;
  type: 'limit_reached';
} | {
  /** The call it is about, if it is about one. */
  id?: CallId;
  /** The words. */
  message: string;
  type: 'notice';
} | Answer & {
  type: 'done';
} | Failure & {
  type: 'error';
}) & {
  /** When. */
  at: Timestamp;
  /** The round it happened in; 0 before the first. */
  round: number;
  /** The run. */
  run: RunId;
  /** Its place in the run, from 0, without gaps. A provisional event has no place of its own and
   * carries that of the next event. */
  seq: number;
};
