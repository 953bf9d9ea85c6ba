/**
 * `Timeline`: where the time of a run went.
 *
 * One lane for each time the model was asked and for each call, so that what happened side by side
 * stands one below the other. The totals tell each moment once: they sum up to the run.
 */

import { t } from '../i18n/text.svelte';
import { attempts, turnWait } from './attempts';
import type { Call, Round, Turn } from './model';
import { grouped, type Group } from './repeats';

/** What a stretch of time was spent on. */
export type Spent = 'model' | 'tool' | 'retry' | 'turn' | 'approval' | 'queue' | 'runtime';

export interface Segment {
  readonly spent: Spent;
  readonly from: number;
  readonly to: number;
}

export interface Lane {
  /** Its name among the lanes of a run. */
  readonly key: string;
  readonly label: string;
  readonly round: number;
  readonly kind: 'model' | 'call' | 'group';
  /** How deep it is: 1 in a call that is a run of another agent, or in a group that is open. */
  readonly depth: number;
  /** The call, where it is one of this run's own. */
  readonly call: string | undefined;
  /** The call of this run in which it happened, where that is a run of another agent. */
  readonly within: string | undefined;
  /** The group that it stands for. */
  readonly group: Group<Call> | undefined;
  /** When it began. */
  readonly at: number;
  readonly segments: readonly Segment[];
}

export interface Timeline {
  readonly from: number;
  readonly to: number;
  readonly lanes: readonly Lane[];
  readonly totals: ReadonlyMap<Spent, number>;
}

/** Where moments are told twice the first of these is what they were spent on. */
const order: readonly Spent[] = ['tool', 'model', 'retry', 'turn', 'approval', 'queue'];

/** A run within a run within a run is told no deeper. */
const DEPTH = 6;

/** Whether the calls of a group have lanes of their own. */
export type IsOpen = (group: Group<Call>) => boolean;

/**
 * The timeline of a run; of one that goes on, up to `now`. With `isOpen`, calls of one tool in a row are
 * a lane together, as they are a card.
 */
export function timeline(turn: Turn, now: number, isOpen?: IsOpen): Timeline {
  const from = turn.startedAt;
  const to = Math.max(from, turn.lastAt, turn.endedAt ?? now);
  const own = ownLanes(turn, to);
  const gap = (to - from) / PIECES;
  const lanes = own.flatMap(({ model, calls }) => [model, ...together(calls, gap, to, isOpen)]);
  const all = own.flatMap(({ model, calls }) => [model, ...calls.map((it) => it.lane)]);
  return { from, to, lanes, totals: totals(all, from, to) };
}

interface CallLane {
  readonly id: string;
  readonly tool: string;
  readonly call: Call;
  readonly lane: Lane;
}

/** The lanes of a run's own rounds and calls. */
function ownLanes(turn: Turn, to: number): { model: Lane; calls: CallLane[] }[] {
  return turn.rounds.map((round, index) => {
    const next = turn.rounds[index + 1];
    const end = round.repliedAt ?? next?.startedAt ?? to;
    const ends = endsByTool(round);
    const calls = round.calls.map((call) => {
      const { id, tool } = call;
      return { id, tool, call, lane: callLane(call, round, to, ends) };
    });
    return { model: modelLane(round, end), calls };
  });
}

/** The lanes of a round's calls as they are shown, with those of runs within them. */
function together(calls: CallLane[], gap: number, to: number, isOpen?: IsOpen): Lane[] {
  if (!isOpen) return calls.flatMap((it) => [it.lane, ...nestedLanes(it.call, to, 1)]);
  return grouped(calls).flatMap((row) => {
    if (!row.many) return row.calls.flatMap((it) => [it.lane, ...nestedLanes(it.call, to, 1)]);
    const group = { ...row, calls: row.calls.map((it) => it.call) };
    const head = groupLane(row.calls, group, gap);
    if (!isOpen(group)) return [head];
    const own = row.calls.flatMap((it) => [
      { ...it.lane, depth: 1 },
      ...nestedLanes(it.call, to, 2),
    ]);
    return [head, ...own];
  });
}

/** More pieces of a lane than this cannot be told apart. */
const PIECES = 500;

function groupLane(calls: readonly CallLane[], group: Group<Call>, gap: number): Lane {
  const first = calls[0]?.lane;
  return {
    key: `group ${group.key}`,
    label: `${group.tool} ×${calls.length}`,
    round: first?.round ?? 0,
    kind: 'group',
    depth: 0,
    call: undefined,
    within: undefined,
    group,
    at: first?.at ?? 0,
    segments: united(
      calls.flatMap((it) => it.lane.segments),
      gap,
    ),
  };
}

/** What is spent on one thing at the same time, or nearly so, as one piece; work lies on top of waits. */
function united(segments: readonly Segment[], gap: number): Segment[] {
  const all = new Map<Spent, Segment[]>();
  for (const it of [...segments].sort((a, b) => a.from - b.from)) {
    const same = all.get(it.spent) ?? [];
    const last = same.at(-1);
    if (last && it.from <= last.to + gap) {
      same[same.length - 1] = { ...last, to: Math.max(last.to, it.to) };
    } else same.push(it);
    all.set(it.spent, same);
  }
  return [...order].reverse().flatMap((spent) => all.get(spent) ?? []);
}

/** The lanes of the run that a call is. They belong to that call, whatever their own ids are. */
function nestedLanes({ id, nested }: Call, to: number, depth: number): Lane[] {
  if (!nested || depth > DEPTH) return [];
  const end = nested.endedAt ?? to;
  const all = ownLanes(nested, end).flatMap(({ model, calls }) => [
    { ...model, depth },
    ...calls.flatMap((it) => [{ ...it.lane, depth }, ...nestedLanes(it.call, end, depth + 1)]),
  ]);
  return all.map((lane) => ({
    ...lane,
    key: `${id} ${lane.key}`,
    call: undefined,
    within: id,
  }));
}

function modelLane(round: Round, end: number): Lane {
  const cuts = new Cuts(round.startedAt, end, 'model');
  for (const retry of round.retries) cuts.add('retry', retry.at, retry.at + retry.waitMs);
  return {
    key: `model ${round.number}`,
    label: t('Model'),
    round: round.number,
    kind: 'model',
    depth: 0,
    call: undefined,
    within: undefined,
    group: undefined,
    at: round.startedAt,
    segments: cuts.segments(),
  };
}

function callLane(call: Call, round: Round, end: number, ends: Ends): Lane {
  const to = call.finishedAt ?? end;
  const started = call.startedAt ?? to;
  const before = new Cuts(call.proposedAt, started, 'queue');
  for (const wait of call.waits) before.add('approval', wait.from, wait.to ?? to);
  const after = new Cuts(started, to, 'tool');
  for (const note of call.notes) {
    if (note.layer === 'limit' && note.action === 'waiting') {
      after.add(
        'turn',
        note.at,
        note.at + (turnWait(note.message) ?? heldFor(call, ends, note.at)),
      );
    }
  }
  for (const it of attempts(call)) {
    if (it.to !== undefined) after.add('retry', it.to, it.to + it.waitMs);
  }
  const segments = [
    ...before.segments(),
    ...(call.startedAt === undefined ? [] : after.segments()),
  ];
  const { id, tool, proposedAt: at } = call;
  return {
    key: `call ${id}`,
    label: tool,
    round: round.number,
    kind: 'call',
    depth: 0,
    call: id,
    within: undefined,
    group: undefined,
    at,
    segments,
  };
}

/** When the calls of a round ended, by tool, in order. */
type Ends = ReadonlyMap<string, readonly { readonly id: string; readonly at: number }[]>;

function endsByTool(round: Round): Ends {
  const all = new Map<string, { id: string; at: number }[]>();
  for (const { id, tool, finishedAt } of round.calls) {
    if (!finishedAt) continue;
    const same = all.get(tool);
    if (same) same.push({ id, at: finishedAt });
    else all.set(tool, [{ id, at: finishedAt }]);
  }
  for (const same of all.values()) same.sort((a, b) => a.at - b.at);
  return all;
}

/** How long a call of the same tool in the same round held this one up, where nobody told. */
function heldFor({ id, tool }: Call, ends: Ends, since: number): number {
  const all = ends.get(tool) ?? [];
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.at ?? 0) < since) low = middle + 1;
    else high = middle;
  }
  const first = all[low]?.id === id ? all[low + 1] : all[low];
  return first ? first.at - since : 0;
}

/** A stretch of time, of which pieces were spent on something else. */
class Cuts {
  private readonly cuts: Segment[] = [];

  constructor(
    private readonly from: number,
    private readonly to: number,
    private readonly spent: Spent,
  ) {}

  add(spent: Spent, from: number, to: number): void {
    this.cuts.push({ spent, from, to });
  }

  /** The pieces, in order and without gaps. What reaches over the ends is cut off. */
  segments(): Segment[] {
    const all: Segment[] = [];
    let at = this.from;
    const put = (spent: Spent, to: number) => {
      if (to > at) all.push({ spent, from: at, to });
      at = Math.max(at, to);
    };
    for (const cut of [...this.cuts].sort((a, b) => a.from - b.from)) {
      put(this.spent, Math.min(cut.from, this.to));
      put(cut.spent, Math.min(cut.to, this.to));
    }
    put(this.spent, this.to);
    return all;
  }
}

/** The run's time, each moment told once. */
function totals(lanes: readonly Lane[], from: number, to: number): Map<Spent, number> {
  const edges = lanes.flatMap((lane) =>
    lane.segments.flatMap(({ spent, from: begin, to: end }) => [
      { at: begin, spent, change: 1 },
      { at: end, spent, change: -1 },
    ]),
  );
  edges.sort((a, b) => a.at - b.at);
  const active = new Map<Spent, number>();
  const sums = new Map<Spent, number>();
  let last = from;
  const spend = (until: number) => {
    const end = Math.min(Math.max(until, last), to);
    const spent = order.find((it) => (active.get(it) ?? 0) > 0) ?? 'runtime';
    if (end > last) sums.set(spent, (sums.get(spent) ?? 0) + end - last);
    last = end;
  };
  for (const edge of edges) {
    spend(edge.at);
    active.set(edge.spent, (active.get(edge.spent) ?? 0) + edge.change);
  }
  spend(to);
  return sums;
}
