import { expect, it } from 'vitest';
import cases from './visible.cases.json';
import { escaped, oneLine, pieces, revealed, revealedLine, visible, visibleLine } from './visible';

it('names what cannot be seen, as the terminal does', () => {
  expect(visible('rm \u202e txt.exe')).toBe('rm ⟦U+202E⟧ txt.exe');
  expect(visible('a\u200b\u2060b')).toBe('a⟦2 invisible characters⟧b');
  expect(visible('x\u{e0041}')).toBe('x⟦U+E0041⟧');
  expect(visible('a\x1b[31m\r\x7f\x9b')).toBe('a␛[31m␍␡�');
  expect(visible('plain\n\ttext, ünï, 👩‍👩‍👧')).toBe('plain\n\ttext, ünï, 👩‍👩‍👧');
  expect(visibleLine('a\nb\tc\u2028d')).toBe('a␊b␉c⟦U+2028⟧d');
  expect(oneLine(' a\r\n\tb\u2028\ufeffc\n')).toBe('a b⟦2 invisible characters⟧c');
  expect(revealedLine('a\nb\u200dc')).toBe('a␊b⟦U+200D⟧c');
});

it.each(cases)('shows $visible as the terminal does', (it) => {
  expect(visible(it.text)).toBe(it.visible);
  expect(revealed(it.text)).toBe(it.revealed);
});

it('tells of white space behind which something could hide', () => {
  const far = pieces(`ls${' '.repeat(500)}; rm x`);
  expect(far.map((it) => it.text)).toEqual(['ls', '⟦500 spaces⟧', '; rm x']);
  const deep = pieces(`ls${'\n'.repeat(300)}rm x`);
  expect(deep.map((it) => it.text)).toEqual(['ls', '⟦299 empty lines⟧\n', 'rm x']);
  expect(pieces('if x; then\n  ls\nfi')).toEqual([{ text: 'if x; then\n  ls\nfi', gap: false }]);
});

it('writes JSON so that it says the same and hides nothing', () => {
  const value = { a: 'x\u202ey\u{e0041}\u200d\u00a0' };
  const json = escaped(JSON.stringify(value));
  expect(revealed(json)).toBe(json);
  expect(JSON.parse(json)).toEqual(value);
});
