/** `collect`: every text that the sources of the page ask for with `t` and `tn`, and what is wrong with how they ask. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'svelte/compiler';
import ts from 'typescript';

export const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

/** One place where a text is asked for. */
export interface Use {
  readonly at: string;
  /** The English text; of one that counts, that for many. */
  readonly key: string;
  /** The English text for one, of a text that counts. */
  readonly one: string | undefined;
}

export interface Collected {
  readonly uses: readonly Use[];
  readonly wrong: readonly string[];
}

/** The sources of the page that are no tests, by their path below `src`. */
export function sources(ending: string): [string, string][] {
  const all = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  return all
    .filter((name) => name.endsWith(ending) && !/\.test\.ts$/.test(name))
    .filter((name) => name !== 'events/generated.ts')
    .sort()
    .map((name) => [name, readFileSync(join(SOURCES, name), 'utf8')]);
}

/** The names in braces, each once. */
export function valuesOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort();
}

/** The pieces of a component that are TypeScript, at the places they have in it. */
function scripts(source: string): string {
  const blank = source.replace(/[^\n]/g, ' ');
  let kept = blank;
  const keep = (from: number, to: number, [before, behind] = ['', '']) => {
    const text = `${before}${source.slice(from, to)}${behind}`;
    kept = kept.slice(0, from - before.length) + text + kept.slice(to + behind.length);
  };
  const ast = parse(source, { modern: true });
  for (const script of [ast.instance, ast.module]) {
    if (script) keep(...inside(script.content));
  }
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (node === null || typeof node !== 'object') return;
    const { type, start, end } = node as { type?: string; start?: number; end?: number };
    const isCall = type === 'CallExpression' && start !== undefined && end !== undefined;
    // The whole call, with what is asked for within it; the sign ends it for the reader of all.
    if (isCall) return keep(start, end, [';', ';']);
    for (const [name, child] of Object.entries(node)) if (name !== 'parent') walk(child);
  };
  walk(ast.fragment);
  return kept;
}

function inside(content: unknown): [number, number] {
  const { start, end } = content as { start: number; end: number };
  return [start, end];
}

function literal(node: ts.Expression | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** The names of values that are given; undefined where that cannot be told from the source. */
function given(node: ts.Expression | undefined): string[] | undefined {
  if (node === undefined) return [];
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const names = node.properties.map((it) => it.name?.getText());
  return names.includes(undefined) ? undefined : names.map(String);
}

/** Looks through one source. */
export function usesIn(name: string, source: string): Collected {
  const text = name.endsWith('.svelte') ? scripts(source) : source;
  const file = ts.createSourceFile(`${name}.ts`, text, ts.ScriptTarget.ES2022, true);
  const uses: Use[] = [];
  const wrong: string[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return;
    const called = node.expression.text;
    if (called !== 't' && called !== 'tn') return;
    const at = `${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    const [first, second, third, fourth] = node.arguments;
    const one = called === 'tn' ? literal(second) : undefined;
    const key = called === 'tn' ? literal(third) : literal(first);
    if (key === undefined || (called === 'tn' && one === undefined)) {
      wrong.push(`${at}: the text of ${called}(…) must stand there, and not be put together`);
      return;
    }
    uses.push({ at, key, one });
    const values = given(called === 'tn' ? fourth : second);
    if (values === undefined) return;
    const all = called === 'tn' ? [...values, 'count'] : values;
    for (const needed of new Set([...valuesOf(key), ...valuesOf(one ?? '')])) {
      if (!all.includes(needed)) wrong.push(`${at}: “${key}” is not given {${needed}}`);
    }
    for (const spare of values) {
      if (!valuesOf(key).includes(spare)) wrong.push(`${at}: “${key}” has no {${spare}}`);
    }
  };
  visit(file);
  return { uses, wrong };
}

/** Looks through all sources of the page. */
export function collect(): Collected {
  const all = [...sources('.svelte'), ...sources('.ts')]
    .filter(([name]) => !name.startsWith('i18n/text.svelte'))
    .map(([name, source]) => usesIn(name, source));
  return { uses: all.flatMap((it) => it.uses), wrong: all.flatMap((it) => it.wrong) };
}
