/**
 * `Export`: a run or a conversation as one JSON file, written and read.
 *
 * A file comes from anywhere. Whatever is in it, `parse` gives either events that the reducer can
 * fold or one sentence that says what is wrong.
 */

import { t } from '../i18n/text.svelte';
import { isEvent } from './check';
import { isProvisional, type AnyMessage, type Attachment, type Event } from './types';

/** The bytes of something that is attached, as a file carries them. */
export interface Exported {
  readonly digest: string;
  /** In base64. */
  readonly data: string;
}

/** What is in a file. */
export interface Export {
  readonly title: string | undefined;
  readonly events: readonly Event[];
  readonly attachments: readonly Exported[];
}

export type Parsed = { ok: true; file: Export } | { ok: false; error: string };

/** A larger file is not opened: it would only freeze the page. */
const CHARACTERS = 64 * 1024 * 1024;
const EVENTS = 200_000;
/** Nobody's data is nested deeper than this. */
const DEPTH = 200;

/**
 * The file of these events, or only of one run among them, with what is attached in it. Pieces are
 * not kept.
 */
export function write(
  events: readonly Event[],
  run?: string,
  exported: readonly Exported[] = [],
): string {
  const kept = events.filter((it) => !isProvisional(it) && (run === undefined || it.run === run));
  const named = new Set(kept.flatMap(attachedIn).map((it) => it.digest));
  const attachments = exported.filter((it) => named.has(it.digest));
  return `${JSON.stringify({ toolwright: 2, events: kept, attachments })}\n`;
}

/** What an event says is attached. */
function attachedIn(event: Event): readonly Attachment[] {
  if (event.type !== 'message' && event.type !== 'call_finished') return [];
  const { attachments }: AnyMessage = event.message;
  return attachments ?? [];
}

/** A name for the file. */
export function fileName(run: string): string {
  return `toolwright-${run.replaceAll(/[^A-Za-z0-9_-]/g, '').slice(0, 64) || 'run'}.json`;
}

/** Reads a file. */
export function parse(text: string): Parsed {
  if (text.length > CHARACTERS) return wrong(t('The file is larger than 64 MB.'));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return wrong(t('The file is not JSON.'));
  }
  if (value === null || typeof value !== 'object') return wrong(t('This is not an exported run.'));
  const { toolwright, events, conversation, attachments } = value as Record<string, unknown>;
  if (toolwright === undefined || !Array.isArray(events)) {
    return wrong(t('This is not an exported run.'));
  }
  if (toolwright !== 2) return wrong(t('The file was written by another version of Toolwright.'));
  if (events.length === 0) return wrong(t('There is nothing in the file.'));
  if (events.length > EVENTS)
    return wrong(t('The file has more than {count} events.', { count: EVENTS }));
  for (const [index, event] of events.entries()) {
    if (isTooDeep(event) || !isEvent(event)) {
      return wrong(t('Event {number} of the file cannot be understood.', { number: index + 1 }));
    }
  }
  const attached = Array.isArray(attachments) ? attachments.filter(isExported) : [];
  return { ok: true, file: { title: titleOf(conversation), events, attachments: attached } };
}

/** What is none is left out: the events say that something is missing. */
function isExported(value: unknown): value is Exported {
  if (value === null || typeof value !== 'object') return false;
  const { digest, data } = value as Record<string, unknown>;
  return typeof digest === 'string' && typeof data === 'string';
}

function wrong(error: string): Parsed {
  return { ok: false, error };
}

function titleOf(conversation: unknown): string | undefined {
  if (conversation === null || typeof conversation !== 'object') return undefined;
  const { title } = conversation as Record<string, unknown>;
  return typeof title === 'string' ? title : undefined;
}

/** Walks with a list of its own: a value may be nested deeper than functions can call. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH) return true;
    const below: unknown[] = [];
    for (const it of level) {
      if (it === null || typeof it !== 'object') continue;
      for (const child of Object.values(it)) {
        if (child !== null && typeof child === 'object') below.push(child);
      }
    }
    level = below;
  }
  return false;
}
