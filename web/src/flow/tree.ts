/** `Found`: what a search in a value finds; and how a value is told in one line. */

import { pointerOf } from '../events/read';
import type { Json } from '../events/types';
import { tn } from '../i18n/text.svelte';

/** More nodes than this are not searched, and more than that are not shown at once. */
export const SEARCHED = 20_000;
export const PAGE = 100;
/** A longer text is cut until somebody wants to see all of it. */
export const LONG = 240;
/** What fits a small pane: parts that are opened at once, and characters of a value that can be. */
export const FEW = 12;
export const SMALL = 600;

export interface Found {
  /** Pointers of what matches. */
  readonly hits: ReadonlySet<string>;
  /** Pointers of what has a match somewhere in it. */
  readonly above: ReadonlySet<string>;
  /** Whether there was too much to look at. */
  readonly partly: boolean;
}

/** Whether a value has parts. */
export function isBranch(value: Json | undefined): value is Json[] | { [key: string]: Json } {
  return value !== null && typeof value === 'object';
}

/** The parts of a value, by key. */
export function partsOf(value: Json): [string, Json][] {
  return isBranch(value) ? Object.entries(value) : [];
}

interface Branch {
  readonly value: Json;
  readonly pointer: string;
  readonly parent: Branch | undefined;
}

/** Looks for words in keys and values. Walks with a list of its own, however deep the value is. */
export function find(root: Json, words: string): Found {
  const wanted = words.trim().toLowerCase();
  const hits = new Set<string>();
  const above = new Set<string>();
  const open: Branch[] = [{ value: root, pointer: '', parent: undefined }];
  let seen = 0;
  for (let branch = open.pop(); branch && seen < SEARCHED; branch = open.pop()) {
    for (const [key, value] of partsOf(branch.value)) {
      seen += 1;
      const pointer = branch.pointer + pointerOf([key]);
      const said = isBranch(value) ? key : `${key} ${String(value)}`;
      if (said.toLowerCase().includes(wanted)) {
        hits.add(pointer);
        let up: Branch | undefined = branch;
        for (; up && !above.has(up.pointer); up = up.parent) above.add(up.pointer);
      }
      if (isBranch(value)) open.push({ value, pointer, parent: branch });
    }
  }
  return { hits, above, partly: open.length > 0 };
}

/** How many levels of a value are open at first: all of a small one. */
export function levels(value: Json): number {
  if (!isBranch(value)) return 1;
  const isSmall = Object.keys(value).length <= FEW;
  return isSmall && JSON.stringify(value).length <= SMALL ? 3 : isSmall ? 2 : 1;
}

/** Whether a pointer is on the way to another, or is that one. */
export function leadsTo(pointer: string, target: string | undefined): boolean {
  return target !== undefined && (target === pointer || target.startsWith(`${pointer}/`));
}

/** A branch in a word: `12 items`, `3 fields`. */
export function size(value: Json): string {
  const count = isBranch(value) ? Object.keys(value).length : 0;
  return Array.isArray(value)
    ? tn(count, '{count} item', '{count} items')
    : tn(count, '{count} field', '{count} fields');
}

/** Arguments in one line: `query: NIFTY, limit: 5`. */
export function inLine(value: Json, most = 120): string {
  const text = isBranch(value) && !Array.isArray(value) ? fieldsInLine(value) : plain(value);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function fieldsInLine(value: { [key: string]: Json }): string {
  const some = Object.entries(value).slice(0, 8);
  return some.map(([key, it]) => `${key}: ${plain(it)}`).join(', ');
}

function plain(value: Json): string {
  if (typeof value === 'string') return value.slice(0, LONG).replaceAll(/\s+/g, ' ');
  if (!isBranch(value)) return String(value);
  const text = JSON.stringify(value);
  return text.length > 60 ? size(value) : text;
}

/** A value as text to be pasted elsewhere. */
export function pasted(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
