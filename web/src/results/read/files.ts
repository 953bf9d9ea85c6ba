/** `Source`, `Hits` and `Tree`: files, and what is in them. */

import { fields, text as said } from './fields';

export interface SourceLine {
  readonly number: number;
  readonly text: string;
}

/** A file, or a part of one. */
export interface Source {
  readonly kind: 'source';
  readonly path: string;
  readonly lines: readonly SourceLine[];
  readonly note: string;
}

export interface HitLine {
  readonly number: number;
  readonly text: string;
  readonly is: 'match' | 'context';
}

export interface HitFile {
  readonly path: string;
  readonly matches: number;
  /** Runs of lines: between two of them some are left out. */
  readonly parts: readonly (readonly HitLine[])[];
}

/** What a search found, by file. */
export interface Hits {
  readonly kind: 'hits';
  readonly pattern: string;
  readonly files: readonly HitFile[];
  readonly matches: number;
  readonly note: string;
}

/** A file, a folder or a link. */
export interface Entry {
  readonly name: string;
  readonly is: 'file' | 'folder' | 'other';
  /** How large it is, or where it leads. */
  readonly detail: string;
  readonly entries: readonly Entry[];
}

export interface Tree {
  readonly kind: 'tree';
  readonly entries: readonly Entry[];
  readonly files: number;
  readonly note: string;
}

export function readSource(args: unknown, text: string): Source | undefined {
  const [body, note] = split(text);
  const lines: SourceLine[] = [];
  for (const line of body.replace(/\n$/, '').split('\n')) {
    const match = /^ *(\d{1,9})\t(.*)$/s.exec(line);
    if (!match) return undefined;
    lines.push({ number: Number(match[1]), text: match[2] ?? '' });
  }
  const path = said(fields(args)['file_path']) ?? said(fields(args)['path']) ?? '';
  return { kind: 'source', path, lines, note };
}

/** A new file: the result says that it was written, the arguments say what. */
export function readWritten(args: unknown, text: string): Source | undefined {
  const { file_path, content } = fields(args);
  if (!text.startsWith('File written') || typeof content !== 'string') return undefined;
  const lines = content.replace(/\n$/, '').split('\n');
  const numbered = lines.map((line, at) => ({ number: at + 1, text: line }));
  return { kind: 'source', path: said(file_path) ?? '', lines: numbered, note: text.trim() };
}

export function readHits(args: unknown, text: string): Hits | undefined {
  const [body, note] = split(text);
  const files: HitFile[] = [];
  for (const block of body.trim().split('\n\n')) {
    const file = readBlock(block.split('\n'));
    if (!file) return undefined;
    files.push(file);
  }
  const pattern = said(fields(args)['pattern']) ?? '';
  const matches = files.reduce((sum, file) => sum + file.matches, 0);
  return { kind: 'hits', pattern, files, matches, note };
}

/** A folder on its way: its children are found one after another. */
interface Growing extends Entry {
  readonly entries: Growing[];
}

export function readTree(text: string): Tree | undefined {
  const [body, note] = split(text);
  const top: Growing[] = [];
  const folders = new Map<string, Growing[]>();
  let files = 0;
  for (const line of body.trim().split('\n')) {
    const read = readEntry(line);
    if (!read) return undefined;
    const [path, is, detail] = read;
    const slash = path.lastIndexOf('/');
    const parent = folders.get(path.slice(0, Math.max(0, slash)));
    const entry: Growing = {
      // Where only a part of the workspace is listed, the top has a path before its name.
      name: parent ? path.slice(slash + 1) : path,
      is,
      detail,
      entries: [],
    };
    (parent ?? top).push(entry);
    if (is === 'folder') folders.set(path, entry.entries);
    else files += 1;
  }
  return { kind: 'tree', entries: top, files, note };
}

/** What to mark in a line: only where the pattern means just itself, for others could take for ever. */
export function marked(text: string, pattern: string): readonly (readonly [string, boolean])[] {
  if (pattern === '' || /[\\^$.*+?()[\]{}|]/.test(pattern)) return [[text, false]];
  const pieces = text.split(pattern);
  return pieces.flatMap((piece, at) =>
    at < pieces.length - 1
      ? ([
          [piece, false],
          [pattern, true],
        ] as const)
      : ([[piece, false]] as const),
  );
}

/** The lines of one file, as `path:3: text` and, around those, `path-2-text`. */
function readBlock(lines: readonly string[]): HitFile | undefined {
  const first = lines.map((line) => /^(.+?):\d{1,9}:/.exec(line)).find((match) => match !== null);
  const path = first?.[1];
  if (path === undefined) return undefined;
  const parts: HitLine[][] = [[]];
  for (const line of lines) {
    if (line === '--') {
      parts.push([]);
      continue;
    }
    const match = line.startsWith(path)
      ? /^([:-])(\d{1,9})\1 ?(.*)$/s.exec(line.slice(path.length))
      : null;
    if (!match) return undefined;
    const [, mark, number, rest = ''] = match;
    // After a colon there is one space that is not in the file; after a dash there is none.
    const start = mark === ':' ? rest : line.slice(path.length + 2 + (number?.length ?? 0));
    const is = mark === ':' ? 'match' : 'context';
    parts.at(-1)?.push({ number: Number(number), text: start, is });
  }
  const matches = parts.flat().filter((line) => line.is === 'match').length;
  return { path, matches, parts };
}

function readEntry(line: string): [string, Entry['is'], string] | undefined {
  const link = line.indexOf(' -> ');
  if (link > 0) return [line.slice(0, link), 'other', `→ ${line.slice(link + 4)}`];
  if (line.endsWith('/')) return [line.slice(0, -1), 'folder', ''];
  const sized = /^(.+) \(([\d.]+ (?:bytes?|KiB|MiB|GiB))\)$/.exec(line);
  if (sized) return [sized[1] ?? '', 'file', sized[2] ?? ''];
  const other = /^(.+) \((an? [a-z ]+)\)$/.exec(line);
  return other ? [other[1] ?? '', 'other', other[2] ?? ''] : undefined;
}

/** The text, and the remark in brackets that may stand behind it. */
function split(text: string): [string, string] {
  const match = /\n\n\[([^\n]*)\]\n?$/.exec(text);
  return match ? [text.slice(0, match.index + 1), match[1] ?? ''] : [text, ''];
}
