/** `Weather`, `Tip` and `Notes`: small answers. */

import { all, fields, number, text } from './fields';

export interface Weather {
  readonly kind: 'weather';
  readonly place: string;
  /** `72°F`. */
  readonly temperature: string;
  readonly sky: string;
}

export interface Tip {
  readonly kind: 'tip';
  readonly bill: number;
  readonly percent?: number;
  readonly tip: number;
  readonly total: number;
}

export interface Notes {
  readonly kind: 'notes';
  readonly notes: readonly string[];
  /** Whether this one was just written down. */
  readonly isNew: boolean;
}

/** A sentence in the place of data. */
export interface Message {
  readonly kind: 'message';
  readonly text: string;
}

/** How much of a note or a message is shown. */
const LONGEST = 5_000;

export function readWeather(said: string): Weather | undefined {
  const match = /^Weather in ([^\n]{1,200}): (-?\d{1,3} ?°[CF]), ([^\n]{1,100})$/.exec(said);
  if (!match) return undefined;
  const [, place = '', temperature = '', sky = ''] = match;
  return { kind: 'weather', place, temperature, sky };
}

export function readTip(args: unknown, data: unknown): Tip | undefined {
  const it = fields(data);
  const [tip, total] = [number(it['tip']), number(it['total'])];
  if (tip === undefined || total === undefined) return undefined;
  const { amount, percentage } = fields(args);
  const bill = number(amount) ?? total - tip;
  const percent =
    number(percentage) ?? (bill > 0 ? Math.round((tip / bill) * 1000) / 10 : undefined);
  return { kind: 'tip', bill, percent, tip, total };
}

export function readNotes(tool: string, data: unknown, said: string): Notes | undefined {
  const noted = /^Noted: ([^]+)$/.exec(said);
  const note = text(noted?.[1], LONGEST);
  if (note !== undefined) return { kind: 'notes', notes: [note], isNew: true };
  if (!Array.isArray(data) || !tool.includes('note')) return undefined;
  const notes = all(data, (note) => text(note, LONGEST));
  return notes.length === data.length ? { kind: 'notes', notes, isNew: false } : undefined;
}

export function readMessage(data: unknown): Message | undefined {
  const message = text(fields(data)['message'], LONGEST);
  return message === undefined ? undefined : { kind: 'message', text: message };
}
