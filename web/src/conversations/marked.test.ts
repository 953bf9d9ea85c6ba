import { expect, it } from 'vitest';
import { marked } from './marked';

it('marks every word, whatever its case', () => {
  expect(marked('The NIFTY price', 'nifty PRICE')).toEqual([
    { text: 'The ', found: false },
    { text: 'NIFTY', found: true },
    { text: ' ', found: false },
    { text: 'price', found: true },
  ]);
});

it('takes signs for what they are', () => {
  expect(marked('a.b axb', 'a.b').filter((part) => part.found)).toHaveLength(1);
  expect(marked('x', '(')).toEqual([{ text: 'x', found: false }]);
});
