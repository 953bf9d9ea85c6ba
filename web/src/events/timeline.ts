/**
 * `Timeline`: where the time of a run went.
 *
 * One lane for each time the model was asked and for each call, so that what happened side by side
 * stands one below the other. The totals tell each moment once: they sum up to the run.
 */

import { t } from '../i18n/text.svelte';
import { attempts, turnWait } from './attempts';
import type { Call, Round, Turn } from './model';

/** What a stretch of time was spent on. */
export type Spent = 'model' | 'tool' | 'retry' | 'turn' | 'approval' | 'queue' | 'runtime';

export interface Segment {
  readonly spent: Spent;
  readonly from: number;
  readonly to: number;
}

export interface Lane {
  readonly label: string;
  readonly round: number;
  /** The call; undefined where the lane is the model's. */
  readonly call: string | undefined;
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

/** The timeline of a run; of one that goes on, up to `now`. */
export function timeline(turn: Turn, now: number): Timeline {
  const from = turn.startedAt;
  const to = Math.max(from, turn.lastAt, turn.endedAt ?? now);
  const lanes = turn.rounds.flatMap((round, index) => {
    const next = turn.rounds[index + 1];
    const end = round.repliedAt ?? next?.startedAt ?? to;
    return [modelLane(round, end), ...round.calls.map((call) => callLane(call, round, to))];
  });
  return { from, to, lanes, totals: totals(lanes, from, to) };
}

function modelLane(round: Round, end: number): Lane {
  const cuts = new Cuts(round.startedAt, end, 'model');
  for (const retry of round.retries) cuts.add('retry', retry.at, retry.at + retry.waitMs);
  const at = round.startedAt;
  return { label: t('Model'), round: round.number, call: undefined, at, segments: cuts.segments() };
}

function callLane(call: Call, round: Round, end: number): Lane {
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
        note.at + (turnWait(note.message) ?? heldFor(call, round, note.at)),
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
  return { label: tool, round: round.number, call: id, at, segments };
}

/** How long a call of the same tool in the same round held this one up, where nobody told. */
function heldFor(call: Call, round: Round, since: number): number {
  const others = round.calls.filter((it) => it.id !== call.id && it.tool === call.tool);
  const ends = others.flatMap(({ finishedAt: end }) => (end && end >= since ? [end] : []));
  return ends.length > 0 ? Math.min(...ends) - since : 0;
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
