import { expect, it } from 'vitest';
import { Drafts } from './drafts';

function storage(text?: string) {
  let kept: string | undefined = text;
  return {
    getItem: () => kept ?? null,
    setItem: (_: string, value: string) => void (kept = value),
    removeItem: () => void (kept = undefined),
    look: () => kept,
  };
}

it('keeps what was written, by conversation', () => {
  const kept = storage();
  new Drafts(() => kept).put('a', 'one');
  new Drafts(() => kept).put('b', 'two');
  const drafts = new Drafts(() => kept);
  expect([drafts.of('a'), drafts.of('b'), drafts.of('c')]).toEqual(['one', 'two', '']);
  drafts.put('a', '');
  expect([drafts.of('a'), drafts.of('b')]).toEqual(['', 'two']);
  drafts.put('b', '');
  expect(kept.look()).toBeUndefined();
});

it('forgets the oldest of very many, and what was there of a text that became too long', () => {
  const drafts = new Drafts(
    (
      (kept) => () =>
        kept
    )(storage()),
  );
  for (let at = 0; at < 60; at += 1) drafts.put(`c${at}`, 'text');
  expect([drafts.of('c9'), drafts.of('c10'), drafts.of('c59')]).toEqual(['', 'text', 'text']);
  drafts.put('c59', 'x'.repeat(60_000));
  expect(drafts.of('c59')).toBe('');
});

it.each(['{', '3', '[[1,2],["a"],null]', '{"a":"b"}'])('makes nothing of %s', (text) => {
  expect(new Drafts(() => storage(text)).of('a')).toBe('');
});

it('does without a browser that keeps nothing', () => {
  const drafts = new Drafts(() => {
    throw new Error('no storage');
  });
  drafts.put('a', 'one');
  drafts.clear();
  expect(drafts.of('a')).toBe('');
});
