/** `compare`: two runs side by side: which calls are the same, and how answers and figures differ. Pure. */

import type { Call, Turn } from '../events/model';
import { answer, callsOf, cost } from '../events/read';
import type { Json } from '../events/types';
import { align, type Pair } from './align';

/** A call of each run, or of one of them. */
export interface CallRow {
  readonly kind: 'same' | 'changed' | 'left' | 'right';
  readonly left: Call | undefined;
  readonly right: Call | undefined;
  /** Which arguments differ, where both runs made the call. */
  readonly changes: readonly Change[];
  /** Whether the same call had another result. */
  readonly result: 'same' | 'other';
}

/** An argument that the two runs gave differently. */
export interface Change {
  readonly name: string;
  readonly left: Json | undefined;
  readonly right: Json | undefined;
}

/** A piece of the answers: in both, or in one of them. */
export interface Words {
  readonly in: 'both' | 'left' | 'right';
  readonly text: string;
}

export interface Figure {
  readonly name: 'time' | 'rounds' | 'calls' | 'tokens' | 'cost';
  readonly left: number | undefined;
  readonly right: number | undefined;
}

export interface Comparison {
  readonly calls: readonly CallRow[];
  readonly answer: readonly Words[];
  readonly figures: readonly Figure[];
}

export function compare(left: Turn, right: Turn): Comparison {
  return {
    calls: compareCalls(callsOf(left), callsOf(right)),
    answer: compareWords(answer(left), answer(right)),
    figures: compareFigures(left, right),
  };
}

/** Whether nothing differs but the figures: no two runs take the same time. */
export function isAlike({ calls, answer: words }: Comparison): boolean {
  return (
    calls.every((it) => it.kind === 'same' && it.result === 'same') &&
    words.every((it) => it.in === 'both')
  );
}

/** JSON in which the order of names says nothing. */
function canonical(value: Json | undefined): string {
  return JSON.stringify(value, (_, it: unknown) =>
    it !== null && typeof it === 'object' && !Array.isArray(it)
      ? Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)))
      : it,
  );
}

function keyOf(call: Call): string {
  return `${call.tool} ${canonical(call.arguments)}`;
}

/** Same tool and arguments are the same call; of what is between, calls of one tool belong together in their order. */
export function compareCalls(left: readonly Call[], right: readonly Call[]): CallRow[] {
  const rows: CallRow[] = [];
  let gap: Pair[] = [];
  const close = () => {
    rows.push(...inGap(gap, left, right));
    gap = [];
  };
  for (const pair of align(left.map(keyOf), right.map(keyOf))) {
    if (pair.left === undefined || pair.right === undefined) gap.push(pair);
    else {
      close();
      rows.push(rowOf(left[pair.left], right[pair.right]));
    }
  }
  close();
  return rows;
}

/** Calls between two that are the same. */
function inGap(gap: readonly Pair[], left: readonly Call[], right: readonly Call[]): CallRow[] {
  const lefts = gap.flatMap(({ left: at }) => (at === undefined ? [] : (left[at] ?? [])));
  const rights = gap.flatMap(({ right: at }) => (at === undefined ? [] : (right[at] ?? [])));
  const tools = align(
    lefts.map((it) => it.tool),
    rights.map((it) => it.tool),
  );
  return tools.map((pair) =>
    rowOf(
      pair.left === undefined ? undefined : lefts[pair.left],
      pair.right === undefined ? undefined : rights[pair.right],
    ),
  );
}

function rowOf(left: Call | undefined, right: Call | undefined): CallRow {
  if (!left || !right) {
    return { kind: left ? 'left' : 'right', left, right, changes: [], result: 'same' };
  }
  const changes = changesOf(left.arguments, right.arguments);
  const isSame =
    left.result?.status === right.result?.status && left.result?.text === right.result?.text;
  return {
    kind: changes.length > 0 ? 'changed' : 'same',
    left,
    right,
    changes,
    result: isSame ? 'same' : 'other',
  };
}

function changesOf(left: Json, right: Json): Change[] {
  const a = fieldsOf(left);
  const b = fieldsOf(right);
  const names = [...new Set([...a.keys(), ...b.keys()])];
  return names.flatMap((name) => {
    const change = { name, left: a.get(name), right: b.get(name) };
    return canonical(change.left) === canonical(change.right) ? [] : [change];
  });
}

function fieldsOf(value: Json): Map<string, Json> {
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
  return new Map(isObject ? Object.entries(value) : [['', value]]);
}

/** Two texts by words, each with the space behind it; neighbours of one kind are one piece. */
export function compareWords(left: string, right: string): Words[] {
  const a = left.match(/\s+|[^\s]+/g) ?? [];
  const b = right.match(/\s+|[^\s]+/g) ?? [];
  const pieces: { in: Words['in']; text: string }[] = [];
  for (const pair of align(a, b)) {
    const where = pair.right === undefined ? 'left' : pair.left === undefined ? 'right' : 'both';
    const text = (pair.left === undefined ? b[pair.right ?? 0] : a[pair.left]) ?? '';
    const last = pieces.at(-1);
    if (last?.in === where) last.text += text;
    else pieces.push({ in: where, text });
  }
  return pieces;
}

function compareFigures(left: Turn, right: Turn): Figure[] {
  const of: Record<Figure['name'], (turn: Turn) => number | undefined> = {
    time: (turn) => (turn.endedAt ?? turn.lastAt) - turn.startedAt,
    rounds: (turn) => turn.rounds.length,
    calls: (turn) => callsOf(turn).length,
    tokens: (turn) => turn.usage.prompt_tokens + turn.usage.completion_tokens,
    cost,
  };
  const names = Object.keys(of) as Figure['name'][];
  const all = names.map((name) => ({ name, left: of[name](left), right: of[name](right) }));
  return all.filter((it) => it.left !== undefined || it.right !== undefined);
}
