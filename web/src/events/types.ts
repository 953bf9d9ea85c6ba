/**
 * `Event`: one change to a run, as the server sends it and as logs keep it.
 *
 * The types are generated from those of `crates/core`. A kind that is not among them is
 * ignored, so that a newer server and older page go together.
 */

import type { Event, Message } from './generated';

export type {
  Attachment,
  BranchPoint,
  CallSource,
  Decision,
  Event,
  Finding,
  Json,
  Limits,
  Message,
  Price,
  Provenance,
  Question,
  QuestionAnswer,
  QuestionField,
  RequestedCall,
  ReviewMode,
  Status,
  ToolChoice,
  ToolEffect as Effect,
  Usage,
} from './generated';

/** The events of one kind. */
export type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

/** What a call would do. */
export type CallPreview = Omit<
  EventOf<'call_preview'>,
  'type' | 'id' | 'fingerprint' | 'seq' | 'run' | 'round' | 'at'
>;

/** What a layer did about a call. */
export type PolicyNote = Pick<EventOf<'policy_applied'>, 'layer' | 'action' | 'message'>;

/** What came of holding an answer against the results. */
export type Verdict = EventOf<'reviewed'>['verdict'];

type Keys<T> = T extends unknown ? keyof T : never;
type At<T, K> = T extends unknown ? (K extends keyof T ? T[K] : undefined) : never;

/** A value of any of several types, with the fields of all of them. */
type AnyOf<T> = { [K in Keys<T>]?: At<T, K> };

/** A message of any role, with the fields of all of them. */
export type AnyMessage = AnyOf<Message>;

/** Why a run has no answer. */
export type Failure = Pick<EventOf<'error'>, 'kind' | 'message' | 'advice' | 'response'> & {
  of?: string;
};

/** An event with its place in the conversation: `12`, or `12.3` for a provisional one. */
export interface Item {
  position?: string;
  event: Event;
}

/** Whether an event is shown and not kept. */
export function isProvisional(event: Event): boolean {
  if (event.type === 'nested') return isProvisional(event.event);
  return event.type === 'content' || event.type === 'reasoning' || event.type === 'call_delta';
}

/** The tool by which a model finds others that were not offered. */
export const FINDER = 'find_tools';
