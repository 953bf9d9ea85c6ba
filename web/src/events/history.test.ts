import { describe, expect, it, vi } from 'vitest';
import { made } from '../../tests/logs/made';
import { kept, live, log, names } from '../../tests/logs/read';
import { History } from './history';
import * as reducer from './reducer';
import { fold } from './reducer';
import type { Item } from './types';

function of(items: readonly Item[]): History {
  const history = new History();
  for (const item of items) history.add(item);
  return history;
}

/** A run of many events, behind another one. */
const long = [
  ...made({ run: 'run_first', rounds: [[{ tool: 'a' }]] }),
  ...made({ run: 'run_long', rounds: Array(30).fill([{ tool: 'a' }, { tool: 'b' }]) }),
].map((event) => ({ event }));

describe.each(names)('the log %s', (name) => {
  it('is, behind each event, what those before it make', () => {
    const items = kept(log(name));
    const history = of(live(log(name)));
    const seen = new Map<string, number>();
    for (const [index, { event }] of items.entries()) {
      const step = seen.get(event.run) ?? 0;
      seen.set(event.run, step + 1);
      expect(history.at(event.run, step)).toEqual(fold(items.slice(0, index + 1)));
      expect(history.moments(event.run)[step]).toBe(event.at);
    }
  });
});

describe('looking back', () => {
  const count = long.filter(({ event }) => event.run === 'run_long').length;
  const before = long.length - count;

  it('leads to the same state from wherever one comes', () => {
    const history = of(long);
    for (const step of [count - 1, 0, 70, 69, 71, 3, count - 1, 64, 63]) {
      expect(history.at('run_long', step)).toEqual(fold(long.slice(0, before + step + 1)));
    }
  });

  it('folds each event about once on the way through, and few for a jump', () => {
    const spy = vi.spyOn(reducer, 'fold');
    const folded = () => spy.mock.calls.reduce((sum, [items]) => sum + [...items].length, 0);
    const history = of(long);
    for (let step = 0; step < count; step += 1) history.at('run_long', step);
    expect(folded()).toBeGreaterThan(count / 2);
    expect(folded()).toBeLessThanOrEqual(long.length);
    spy.mockClear();
    history.at('run_long', 100);
    expect(folded()).toBeLessThanOrEqual(64);
    spy.mockRestore();
  });

  it('goes on while events come', () => {
    const history = of(long.slice(0, 100));
    expect(history.moments('run_long')).toHaveLength(100 - before);
    history.at('run_long', 99 - before);
    for (const item of long.slice(100)) history.add(item);
    expect(history.at('run_long', count - 1)).toEqual(fold(long));
  });

  it('is nothing where there is nothing', () => {
    expect(of([]).at('run_x', 0).turns).toEqual([]);
    expect(of(long).at('run_long', count).turns).toEqual([]);
    expect(of(long).moments('run_x')).toEqual([]);
  });
});
