import { expect, it } from 'vitest';
import { pieces, sentence } from './words';

it('makes sentences', () => {
  expect(sentence('the provider is in trouble')).toBe('The provider is in trouble.');
  expect(sentence('Is it?')).toBe('Is it?');
  expect(sentence('')).toBe('');
});

it('finds what is between backticks', () => {
  expect(pieces('run `toolwright doctor` now')).toEqual(['run ', 'toolwright doctor', ' now']);
  expect(pieces('one ` only')).toEqual(['one ` only']);
});
