import { parse } from 'svelte/compiler';
import { expect, test } from 'vitest';
import { sources } from './texts';

/** Attributes, and properties of components, that people read or hear. */
const READ = new Set(
  'alt aria-description aria-label aside detail heading label less placeholder text title'.split(
    ' ',
  ),
);

/** What is said the same in every language: names, addresses, and commands to be typed. */
const SAME = [
  'Toolwright',
  'TradingView Lightweight Charts™',
  '© 2026 TradingView, Inc.',
  'curl -X POST',
  'curl -X POST -H "Authorization: Bearer $TOOLWRIGHT_TOKEN"',
  '/api/launch',
  'toolwright mcp login',
  'https://models.example.com/v1',
  // The form of a moment, as machines write it.
  '2026-03-01T12:00:00Z',
  // An address, as an example.
  'https://models.example.com/v1',
];

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

function isNode(it: unknown): it is Node {
  return it !== null && typeof it === 'object' && 'type' in it;
}

/** Texts that stand in an expression to be shown as they are: not what is given to a function, say. */
function shown(node: unknown): [number, string][] {
  if (!isNode(node)) return [];
  const { type, start } = node;
  if (type === 'Literal') return [[start, typeof node.value === 'string' ? node.value : '']];
  if (type === 'TemplateLiteral') {
    const parts = node.quasis as { value: { cooked: string } }[];
    return parts.map((part): [number, string] => [start, part.value.cooked]);
  }
  if (type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap(shown);
  if (type === 'LogicalExpression' || type === 'BinaryExpression') {
    const isJoined = type === 'LogicalExpression' || node.operator === '+';
    return isJoined ? [node.left, node.right].flatMap(shown) : [];
  }
  return [];
}

/** Everything in the markup of a component that is read as it stands there. */
function literals(source: string): string[] {
  const found: [number, string][] = [];
  const said = (part: unknown) => {
    if (!isNode(part)) return;
    if (part.type === 'Text') found.push([part.start, String(part.data)]);
    if (part.type === 'ExpressionTag') found.push(...shown(part.expression));
  };
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (!isNode(node)) return;
    if (node.type === 'Attribute') {
      const isRead = READ.has(String(node.name));
      if (isRead) [node.value].flat().forEach(said);
      // Snippets are given as attributes, too.
      return walk(node.value === true ? [] : [node.value].flat().filter((it) => !isText(it)));
    }
    // How something looks is not read.
    if (node.type === 'StyleDirective') return;
    said(node);
    for (const [name, child] of Object.entries(node)) if (name !== 'parent') walk(child);
  };
  walk(parse(source, { modern: true }).fragment);
  return found
    .filter(([, text]) => /\p{L}/u.test(text) && !SAME.includes(text.trim()))
    .map(([at, text]) => `${source.slice(0, at).split('\n').length}: ${text.trim()}`);
}

function isText(it: unknown): boolean {
  return isNode(it) && (it.type === 'Text' || it.type === 'ExpressionTag');
}

test.each(sources('.svelte'))('%s says nothing that cannot be translated', (_, source) => {
  expect(literals(source)).toEqual([]);
});

test('finds what would be in English for everybody', () => {
  const all = [
    '<p>Hello</p>',
    '<p>{isNew ? "New" : t("Old")}</p>',
    '<p>{`${count} calls`}</p>',
    '<p>{count + " calls"}</p>',
    '<p>{name || "nobody"}</p>',
    '<p title="Hello"></p>',
    '<p aria-label={isNew ? "New" : undefined}></p>',
    '<Button label="Save {name}" />',
    '{#if a}{#each b as c (c)}<i>then</i>{/each}{/if}',
  ];
  for (const source of all) expect(literals(source), source).toHaveLength(1);
  const none = [
    '<h1>Toolwright</h1>',
    '<p class="wide" id="question">{t("Hello")} · {name}</p>',
    '<Icon name={isNew ? "plus" : "check"} label={t("New")} />',
    '<p>{kind === "new" ? t("New") : ""}</p>',
    '<p>{look("new")}</p>',
  ];
  for (const source of none) expect(literals(source), source).toEqual([]);
});
