import { expect, it } from 'vitest';

import {
  brief,
  count,
  decimal,
  direction,
  length,
  percent,
  rupees,
  share,
  signed,
  span,
  whole,
} from './figures';

it('figures have lakh and crore', () => {
  const figures = [0, 5.5, 999, 1_000, 24_500.25, 123_456.78, 1_234_567, 123_456_789.1];
  expect(figures.map((figure) => decimal(figure)).join(' ')).toBe(
    '0.00 5.50 999.00 1,000.00 24,500.25 1,23,456.78 12,34,567.00 12,34,56,789.10',
  );
  expect(rupees(-1_250.5)).toBe('-₹1,250.50');
  expect(decimal(-0.001)).toBe('0.00');
  const counts = [0, 12, 99_999, 100_000, 340_000, 12_500_000, 2_345_678_901];
  expect(counts.map(count).join('; ')).toBe(
    '0; 12; 99,999; 1.00 lakh; 3.40 lakh; 1.25 crore; 234.57 crore',
  );
  expect(counts.slice(2, 6).map(brief).join('; ')).toBe('99,999; 1.0 L; 3.4 L; 1.3 Cr');
});

it('other figures have thousands', () => {
  expect([0, 999, 1_000, 123_456, 1_234_567.8].map(whole)).toEqual([
    '0',
    '999',
    '1,000',
    '123,456',
    '1,234,568',
  ]);
});

it('a change has a sign where it can be seen', () => {
  expect([13.1, -45.5, 0.001, -0.001].map((by) => `${signed(by)} ${direction(by)}`)).toEqual([
    '+13.10 up',
    '-45.50 down',
    '0.00 same',
    '0.00 same',
  ]);
  expect(signed(-598, rupees)).toBe('-₹598.00');
  expect(percent(-4.84)).toBe('4.84%');
});

it('lengths are told as players and people do', () => {
  expect([5, 930, 3_723, -1].map(length)).toEqual(['0:05', '15:30', '1:02:03', '0:00']);
  expect([59, 1_254, 3_569, 3_600, 11_754, 189_451].map(span)).toEqual([
    '59 s',
    '21 min',
    '59 min',
    '1.0 h',
    '3.3 h',
    '53 h',
  ]);
});

it('a share is never more than all', () => {
  expect([share(1, 2), share(3, 2), share(-1, 2), share(1, 0)]).toEqual([0.5, 1, 0, 0]);
});
