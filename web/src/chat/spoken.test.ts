import { expect, it } from 'vitest';
import { plain, sentences } from './spoken';

it('says whole sentences and keeps the rest', () => {
  const text = 'NIFTY is at 25,715.00 now. It rose by';
  const { said, to } = sentences(text, 0);
  expect(said).toBe('NIFTY is at 25,715.00 now.');
  expect(sentences(text, to).said).toBe('');
  expect(sentences(`${text} 0.05%.\n`, to).said).toBe('It rose by 0.05%.');
});

it('does not cut a number in two', () => {
  expect(sentences('It costs 25.', 0).said).toBe('');
  expect(sentences('It costs 25.5 rupees', 0).said).toBe('');
});

it('leaves marks out', () => {
  expect(plain('## Title\n- **one** `two`\n[three](https://example.org)')).toBe(
    'Title one two three',
  );
});
