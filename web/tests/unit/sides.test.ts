import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SOURCES } from './texts';

/** What names a side of the screen where the beginning or the end of a line is meant. */
const PHYSICAL =
  /(?<![\w-])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)[\w-]*|left|right|border-(?:top|bottom)-(?:left|right)-radius)\s*:|text-align:\s*(?:left|right)|float:\s*(?:left|right)|style:(?:left|right|margin-left|margin-right)|translateX/g;

/** Shorthands with four values: the second and the fourth are sides. */
const FOUR = /(?<![\w-])(margin|padding|inset|border-width|border-radius):\s*([^;]+);/g;

/** Axes: time and prices go from left to right in every language. */
const AXES = ['results/show/Quotes.svelte style:left'];

/** The places in a source that would be wrong where lines begin at the right. */
function sides(source: string): string[] {
  const styles = source.includes('<script') ? source.slice(source.indexOf('<style')) : source;
  const markup = [...source.matchAll(/style:(?:left|right)/g)].map(([it]) => it);
  const named = [...styles.matchAll(PHYSICAL)].map(([it]) => it);
  const uneven = [...styles.matchAll(FOUR)].filter(([, property, values = '']) => {
    const [top, right, bottom, left] = split(values);
    if (left === undefined) return false;
    // Corners go round as sides do, from the first one.
    return property === 'border-radius' ? top !== right || bottom !== left : right !== left;
  });
  return [...markup, ...named, ...uneven.map(([it]) => it)];
}

/** Values, and what stands in brackets with the word before it. */
function split(values: string): string[] {
  const all: string[] = [];
  let depth = 0;
  let word = '';
  for (const sign of values.trim()) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
    if (depth === 0 && /\s/.test(sign)) {
      if (word !== '') all.push(word);
      word = '';
    } else word += sign;
  }
  return word === '' ? all : [...all, word];
}

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:svelte|css)$/.test(name))
  .sort();

test('styles speak of where lines begin and end, not of left and right', () => {
  const found = files.flatMap((name) => {
    const all = [...new Set(sides(readFileSync(join(SOURCES, name), 'utf8')))];
    return all.map((it) => `${name} ${it}`);
  });
  expect(found).toEqual(AXES);
});

test('finds what would be on the wrong side', () => {
  const all = [
    'a { margin-left: 4px; }',
    'a { border-left-color: red; }',
    'a { right: 0; }',
    'a { text-align: left; }',
    'a { padding: 0 4px 0 8px; }',
    'a { margin: 0 calc(1px + 2px) 0 0; }',
    'a { border-radius: 14px 14px 4px 14px; }',
    '<i style:left="3%"></i>',
  ];
  for (const source of all) expect(sides(source).length, source).toBeGreaterThan(0);
  const none = [
    'a { margin-inline-start: 4px; inset-inline-end: 0; text-align: start; }',
    'a { padding: 0 4px; margin: 1px 2px 3px; inset: 0; }',
    'a { padding: 0 var(--s1) 2px var(--s1); }',
    '.left { color: red; }',
  ];
  for (const source of none) expect(sides(source), source).toEqual([]);
});
