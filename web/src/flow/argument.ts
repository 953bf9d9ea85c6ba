/** `keyArgument`: the one argument that tells a call from others of its tool: a path, a command, a symbol. */

import type { Json } from '../events/types';

/** Names whose values say what a call is about, the most telling first. */
const NAMES = [
  'path',
  'file_path',
  'file',
  'command',
  'url',
  'query',
  'pattern',
  'symbol',
  'trading_symbol',
  'security_id',
  'city',
  'location',
  'name',
  'title',
  'topic',
  'task',
  'question',
  'text',
  'id',
];

/** Longer texts are cut: a pill is a line. */
const MOST = 60;

/** What a call is about, in a few words; empty where no argument says so. */
export function keyArgument(args: Json): string {
  return (wholeArgument(args) ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, MOST);
}

/** The same as it was written. */
export function wholeArgument(args: Json): string | undefined {
  if (args === null || typeof args !== 'object' || Array.isArray(args)) return undefined;
  for (const name of NAMES) {
    const said = Object.hasOwn(args, name) ? told(args[name]) : undefined;
    if (said !== undefined) return said;
  }
  // No name that is known: the first text is what the tool's author put first.
  return Object.values(args)
    .filter((it) => typeof it === 'string')
    .map(told)
    .find((it) => it !== undefined);
}

function told(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
