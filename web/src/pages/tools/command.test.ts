import { expect, it } from 'vitest';
import { pairs, words } from './command';

it('cuts a command into its words', () => {
  expect(words('npx -y  "a b" \'c "d"\' e\\ f ""')).toEqual([
    'npx',
    '-y',
    'a b',
    'c "d"',
    'e f',
    '',
  ]);
  expect(words('  ')).toEqual([]);
  // Nothing is expanded, and no second command begins.
  expect(words('a; b $(c) `d` > e')).toEqual(['a;', 'b', '$(c)', '`d`', '>', 'e']);
});

it('reads names and values, a line each', () => {
  expect(pairs('A=1\n\n B = x=y \nC', '=')).toEqual({ A: '1', B: 'x=y', C: '' });
  expect(pairs('Authorization: Bearer a:b', ':')).toEqual({ Authorization: 'Bearer a:b' });
});
