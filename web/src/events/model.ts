/**
 * `Conversation`: what the page shows, folded from events by `reducer.ts`.
 *
 * Everything here is plain and never changed in place. What an event does not touch keeps its
 * identity, so a piece of text costs as much in a long conversation as in a short one.
 */

import type {
  AnyMessage,
  Attachment,
  BranchPoint,
  Decision,
  Effect,
  Failure,
  Finding,
  Json,
  PolicyNote,
  Limits,
  CallSource,
  Price,
  CallPreview,
  Provenance,
  Question,
  ReviewMode,
  Status,
  ToolChoice,
  Usage,
  Verdict,
} from './types';

export interface Conversation {
  /** Its id, once an event told it. */
  readonly id: string | undefined;
  /** The position of the last committed event; -1 before the first. */
  readonly position: number;
  /** How many provisional events came behind it. */
  readonly pieces: number;
  /** The runs, in the order in which they began. */
  readonly runs: readonly Turn[];
  /** Those that lead to the end of the newest: what is shown. */
  readonly turns: readonly Turn[];
}

/** One run: a question and what became of it. */
export interface Turn {
  readonly run: string;
  /** Where it goes on from, where that is not the end of the run before it. */
  readonly after: BranchPoint | undefined;
  /** Whether only its beginning is shown: what follows went on from there in another way. */
  readonly cut: boolean;
  /** The number of the last committed event of the run; -1 before the first. */
  readonly seq: number;
  readonly question: string;
  /** What came with the question. */
  readonly attachments: readonly Attachment[];
  /** The model that is asked; where one gave no reply, the one that went on. */
  readonly model: string;
  readonly mode: 'loop' | 'single_shot';
  readonly review: ReviewMode;
  /** Whether the answer has to have a form: then it is JSON. */
  readonly hasForm: boolean;
  /** The tools that were off, by name. */
  readonly toolsOff: readonly string[];
  readonly limits: Limits | undefined;
  readonly price: Price | undefined;
  /** What the models before that one cost, and what they had used. */
  readonly charged: Charged | undefined;
  readonly startedAt: number;
  /** When the run ended. Undefined while it goes on, or where it was cut short. */
  readonly endedAt: number | undefined;
  /** The moment of the last committed event. */
  readonly lastAt: number;
  readonly rounds: readonly Round[];
  /** The messages of the run, as the model is sent them. */
  readonly record: readonly Entry[];
  /** What the model is saying right now. Gone with the next committed event. */
  readonly draft: Draft | undefined;
  /** The answer the run ended with, or what was said before it failed. */
  readonly response: string | undefined;
  readonly finish: string | undefined;
  readonly error: Failure | undefined;
  readonly usage: Usage;
  /** What it cost in all, with runs of other agents in it; told at its end. */
  readonly spent: number | undefined;
  /** What happened before the first round, or belongs to none. */
  readonly notes: readonly Note[];
  /** What was said to the run while it went on, in order. */
  readonly steered: readonly Steered[];
}

/** Something that was said to a run while it went on. */
export interface Steered {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The round it stands behind; 0 before the first. */
  readonly behind: number;
}

/** What an event adds to the messages that a model is sent. */
export interface Entry {
  /** The round in which it happened: requests of later rounds have it. */
  readonly round: number;
  readonly adds: readonly AnyMessage[];
  /** Whether it takes the place of everything before it: a digest does. */
  readonly replaces: boolean;
}

/** What models cost that gave no reply any more. */
export interface Charged {
  /** Undefined where no price was known. */
  readonly cost: number | undefined;
  readonly usage: Usage;
}

/** The model is asked once, and its calls are run. */
export interface Round {
  /** From 1. */
  readonly number: number;
  /** The number of the event it began with. */
  readonly seq: number;
  /** How many rounds may use tools. */
  readonly of: number;
  readonly toolChoice: ToolChoice;
  readonly startedAt: number;
  /** When the reply was there. */
  readonly repliedAt: number | undefined;
  readonly retries: readonly ModelRetry[];
  /** What the model said beside its calls, or the answer. */
  readonly content: string;
  readonly reasoning: string;
  readonly usage: Usage | undefined;
  /** Why the model stopped: `tool_calls` where calls follow. */
  readonly finish: string | undefined;
  readonly calls: readonly Call[];
  /** Whether the text is the answer in words, before the one that has a form. */
  readonly inWords: boolean;
  /** Set where the text was meant as the answer, and was sent back. */
  readonly returned: { readonly guard: string; readonly reason: string } | undefined;
  readonly review: Review | undefined;
  readonly notes: readonly Note[];
}

/** The provider failed and is asked again. */
export interface ModelRetry {
  readonly attempt: number;
  readonly waitMs: number;
  readonly reason: string;
  readonly at: number;
}

export interface Review {
  readonly findings: readonly Finding[];
  readonly verdict: Verdict;
  /** How many values in the answer a source has. */
  readonly checked: number;
  readonly at: number;
}

/** Something worth knowing, shown quietly. */
export interface Note {
  readonly kind: 'notice' | 'limit' | 'compacted' | 'offered' | 'unavailable' | 'fallback';
  readonly text: string;
  /** What can be opened below it: the tools on offer. */
  readonly list: readonly string[];
  readonly at: number;
}

/** A reply while it arrives. */
export interface Draft {
  readonly content: string;
  readonly reasoning: string;
  readonly calls: readonly DraftCall[];
}

/** A call while it arrives. */
export interface DraftCall {
  readonly index: number;
  readonly tool: string;
  /** A prefix of JSON. */
  readonly arguments: string;
}

export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly arguments: Json;
  /** The arguments as the model wrote them, where somebody edited them. */
  readonly written: Json | undefined;
  readonly source: CallSource;
  readonly effect: Effect | undefined;
  readonly provenance: readonly Provenance[];
  /** Why somebody has to look at it. */
  readonly reviewReason: string | undefined;
  readonly phase: Phase;
  readonly preview: ShownPreview | undefined;
  readonly decision: Decision | undefined;
  readonly waits: readonly Wait[];
  readonly notes: readonly CallNote[];
  readonly progress: string | undefined;
  /** What the tool asks the user, and has no answer to. */
  readonly questions: readonly AskedQuestion[];
  /** The run that it is, where it is one of another agent. */
  readonly nested: Turn | undefined;
  /** The result as the tool gave it, where the model reads only a part. */
  readonly whole: string | undefined;
  readonly result: Result | undefined;
  readonly proposedAt: number;
  readonly checkedAt: number | undefined;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
}

/** How far a call is. How it ended is in its result. */
export type Phase = 'checking' | 'waiting' | 'queued' | 'running' | 'finished';

export interface ShownPreview extends CallPreview {
  readonly fingerprint: string;
}

/** A time in which somebody had to decide. */
export interface Wait {
  readonly from: number;
  readonly to: number | undefined;
}

/** A question that waits for its answer. */
export interface AskedQuestion {
  readonly id: string;
  readonly question: Question;
  readonly at: number;
}

export interface CallNote extends PolicyNote {
  readonly at: number;
}

export interface Result {
  readonly status: Status;
  /** What the model reads. */
  readonly text: string;
  /** What the tool gave back beside it. */
  readonly attachments: readonly Attachment[];
  /** The result as data, if it is any. */
  readonly data: Json | undefined;
  /** The same in words, where the model reads JSON. */
  readonly words: string | undefined;
  /** What only people read. */
  readonly detail: string | undefined;
  readonly input: Json | undefined;
  /** The guard that refused the call. */
  readonly guard: string | undefined;
  readonly elapsedMs: number;
}

/** What of a conversation is looked at: a turn, and a call in it. */
export interface Selection {
  readonly run: string;
  readonly call?: string;
}

/** A conversation in which nothing happened yet. */
export const empty: Conversation = {
  id: undefined,
  position: -1,
  pieces: 0,
  runs: [],
  turns: [],
};
