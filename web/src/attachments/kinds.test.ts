import { describe, expect, it } from 'vitest';
import { detect, refusal, shownAs, weight } from './kinds';

const blob = (text: string) => new Blob([Uint8Array.from(text, (it) => it.charCodeAt(0))]);

describe('what a file is', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n...', 'image/png'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
    ['PK\x03\x04...', 'application/zip'],
    ['BMW and ID3 are words', 'text/plain'],
    ['ID3 is a tag', 'text/plain'],
    ['<svg></svg>', 'text/plain'],
    ['a\0b', 'application/octet-stream'],
    ['\xff\xfe', 'application/octet-stream'],
  ])('%j', async (text, is) => expect(await detect(blob(text))).toBe(is));

  it('is text, also where its beginning ends within a character', async () => {
    expect(await detect(new Blob(['x' + 'ü'.repeat(4_000)]))).toBe('text/plain');
  });
});

it('shows what cannot run, and nothing else', () => {
  expect(shownAs('image/png')).toBe('picture');
  expect(shownAs('audio/wav')).toBe('sound');
  for (const other of ['image/svg+xml', 'text/html', 'image/pngx', 'application/pdf', '']) {
    expect(shownAs(other)).toBe('file');
  }
});

it('says what a model does not take', () => {
  const model = {
    name: 'm',
    offline: false,
    describe: '',
    accepts: ['image/png', 'image/jpeg'],
    found: [],
    window: 128_000,
    compacts_at: 96_000,
  };
  expect(refusal('image/png', model)).toBeUndefined();
  expect(refusal('text/plain', model)).toBeUndefined();
  expect(refusal('image/heic', model)).toBe(
    'The model takes pictures as png, jpeg only, not heic.',
  );
  expect(refusal('audio/wav', model)).toBe('The model takes no sound.');
  expect(refusal('application/pdf', model)).toBe('The model takes no PDF files.');
  // Of one that is wished for by name nothing is known.
  expect(refusal('audio/wav', undefined)).toBeUndefined();
});

it('tells sizes', () => {
  expect([19, 2048, 3 << 20].map(weight)).toEqual(['19 B', '2 KB', '3.0 MB']);
});
