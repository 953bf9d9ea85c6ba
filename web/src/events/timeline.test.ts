import { describe, expect, it } from 'vitest';
import { made } from '../../tests/logs/made';
import { kept, live, log, names } from '../../tests/logs/read';
import { attempts } from './attempts';
import type { Turn } from './model';
import { callsOf } from './read';
import { fold } from './reducer';
import { timeline, type IsOpen, type Spent, type Timeline } from './timeline';

function of(name: string): Timeline {
  const turn = fold(kept(log(name))).turns[0];
  if (!turn) throw new Error('no turn');
  return timeline(turn, 0);
}

function kinds(name: string): Set<Spent> {
  return new Set(of(name).lanes.flatMap((lane) => lane.segments.map((it) => it.spent)));
}

describe.each(names)('the log %s', (name) => {
  it('sums up to the run, also while it goes on', () => {
    const items = live(log(name));
    for (let cut = 1; cut <= items.length; cut += 1) {
      for (const turn of fold(items.slice(0, cut)).turns) {
        const { from, to, totals } = timeline(turn, turn.lastAt + 500);
        const sum = [...totals.values()].reduce((a, b) => a + b, 0);
        expect(sum).toBe(to - from);
        expect(to).toBe(turn.endedAt ?? turn.lastAt + 500);
      }
    }
  });

  it('has lanes without gaps, from when the call was made to its result', () => {
    for (const turn of fold(kept(log(name))).turns) {
      const calls = new Map(callsOf(turn).map((call) => [call.id, call]));
      for (const lane of timeline(turn, 0).lanes) {
        const call = calls.get(lane.call ?? '');
        let at = call ? call.proposedAt : lane.segments[0]?.from;
        for (const segment of lane.segments) {
          expect(segment.from).toBe(at);
          expect(segment.to).toBeGreaterThan(segment.from);
          at = segment.to;
        }
        if (call) expect(at).toBe(call.finishedAt);
      }
    }
  });
});

describe('where time went', () => {
  it('is told for waits', () => {
    expect(kinds('retry')).toContain('retry');
    expect(kinds('model-retry')).toContain('retry');
    expect(kinds('limit-wait')).toContain('turn');
    expect(kinds('edited')).toContain('approval');
    expect(of('edited').totals.get('approval')).toBeGreaterThan(500);
  });

  it('has a lane for each call of a round', () => {
    const lanes = of('parallel').lanes.map((lane) => `${lane.round} ${lane.label}`);
    expect(lanes).toEqual(['1 Model', '1 get_weather', '1 calculate_tip', '2 Model']);
  });
});

describe('lanes', () => {
  const shown = (turn: Turn, isOpen?: IsOpen) =>
    timeline(turn, 0, isOpen).lanes.map((it) => `${'·'.repeat(it.depth)}${it.label}`);
  const many = (count: number) =>
    fold(
      made({
        run: 'run_many',
        rounds: [Array(count).fill({ tool: 'show' }), [{ tool: 'tip' }]],
      }).map((event) => ({ event })),
    ).turns[0]!;

  it('of one tool in a row are one, as the cards are', () => {
    expect(shown(many(5), () => false)).toEqual(['Model', 'show ×5', 'Model', 'tip', 'Model']);
    expect(shown(many(4), () => true).slice(1, 6)).toEqual([
      'show ×4',
      ...Array<string>(4).fill('·show'),
    ]);
    const { lanes, totals } = timeline(many(5), 0, () => false);
    expect(lanes[1]?.segments.map((it) => it.spent)).toContain('tool');
    expect(totals).toEqual(timeline(many(5), 0).totals);
  });

  it('of a run within a run stand below its call, and lead to it', () => {
    const turn = fold(kept(log('nested'))).turns[0]!;
    const { lanes, totals, from, to } = timeline(turn, 0);
    const inner = lanes.filter((it) => it.depth > 0);
    expect(inner.length).toBeGreaterThan(2);
    const calls = new Set(callsOf(turn).map((call) => call.id));
    for (const lane of inner) expect(calls).toContain(lane.within);
    expect([...totals.values()].reduce((a, b) => a + b, 0)).toBe(to - from);
  });

  it('have names of their own', () => {
    for (const name of names) {
      for (const turn of fold(kept(log(name))).turns) {
        const keys = timeline(turn, 0, () => true).lanes.map((it) => it.key);
        expect(new Set(keys).size).toBe(keys.length);
      }
    }
  });

  it('of very many calls are few pieces', () => {
    const { lanes } = timeline(many(2_000), 0, () => false);
    expect(lanes).toHaveLength(5);
    expect(lanes[1]?.segments.length).toBeLessThan(1_100);
    expect(timeline(many(2_000), 0, () => true).lanes).toHaveLength(2_005);
  });
});

describe('attempts', () => {
  it('are told apart, with the reason of each and the wait behind it', () => {
    const call = fold(kept(log('retry'))).turns.flatMap(callsOf)[0];
    if (!call) throw new Error('no call');
    const all = attempts(call);
    expect(all.map((it) => [it.number, it.of, it.waitMs])).toEqual([
      [1, 4, 75],
      [2, 4, 77],
      [3, 4, 0],
    ]);
    expect(all[0]?.reason).toMatch(/^The broker failed/);
    expect(all[2]?.reason).toBeUndefined();
    expect(all[2]?.to).toBe(call.finishedAt);
  });

  it('are one where nothing was tried again, and none where nothing ran', () => {
    expect(attempts(fold(kept(log('chain'))).turns.flatMap(callsOf)[0]!).length).toBe(1);
    expect(attempts(fold(kept(log('refused'))).turns.flatMap(callsOf)[0]!)).toEqual([]);
  });
});
