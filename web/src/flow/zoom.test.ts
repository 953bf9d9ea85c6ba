import { describe, expect, it } from 'vitest';
import { isWhole, panned, ticks, within, zoomed } from './zoom';

const whole = 10_000;
const all = { from: 0, to: whole };

describe('a span', () => {
  it('keeps the moment that is pointed at where it is', () => {
    const half = zoomed(all, whole, 2, 2_500);
    expect(half).toEqual({ from: 1_250, to: 6_250 });
    expect(zoomed(half, whole, 0.5, 2_500)).toEqual(all);
  });

  it('never leaves the run, nor becomes nothing', () => {
    for (const at of [0, 3, 5_000, whole]) {
      for (const factor of [1e9, 3, 1, 0.3, 1e-9]) {
        const { from, to } = zoomed({ from: 4_000, to: 6_000 }, whole, factor, at);
        expect(from).toBeGreaterThanOrEqual(0);
        expect(to).toBeLessThanOrEqual(whole);
        expect(to - from).toBeGreaterThanOrEqual(1);
      }
    }
    expect(panned({ from: 0, to: 1_000 }, whole, -500)).toEqual({ from: 0, to: 1_000 });
    expect(panned({ from: 0, to: 1_000 }, whole, 99_999)).toEqual({ from: 9_000, to: whole });
    expect(within({ from: -5, to: 99_999 }, whole)).toEqual(all);
  });

  it('knows when it is all there is', () => {
    expect(isWhole(all, whole)).toBe(true);
    expect(isWhole({ from: 1, to: whole }, whole)).toBe(false);
  });
});

describe('ticks', () => {
  const labels = (from: number, to: number) => ticks({ from, to }).map((it) => it.label);

  it('are round, and no two say the same', () => {
    expect(labels(0, 1_000)).toEqual(['0', '200 ms', '400 ms', '600 ms', '800 ms', '1.0 s']);
    expect(labels(0, 10_000)).toEqual(['0', '2 s', '4 s', '6 s', '8 s', '10 s']);
    expect(labels(12_345, 12_350)).toEqual([
      '12.345 s',
      '12.346 s',
      '12.347 s',
      '12.348 s',
      '12.349 s',
      '12.350 s',
    ]);
    expect(labels(0, 600_000)).toContain('3:20');
  });

  it('are few, whatever the span', () => {
    for (const to of [1, 7, 33, 1_234, 99_999, 86_400_000]) {
      const all = labels(0, to);
      expect(all.length).toBeLessThanOrEqual(7);
      expect(new Set(all).size).toBe(all.length);
    }
  });
});
