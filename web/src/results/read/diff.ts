/** `Diff`: a unified diff, line by line. */

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'note';
  readonly text: string;
  /** Its number in the old file, and in the new. */
  readonly old?: number;
  readonly new?: number;
}

export interface Hunk {
  /** What follows the second `@@`: often the function it is in. */
  readonly head: string;
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  readonly name: string;
  readonly is: 'changed' | 'new' | 'deleted';
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly Hunk[];
}

export interface Diff {
  readonly kind: 'diff';
  /** What is said before it. */
  readonly before: string;
  readonly files: readonly FileDiff[];
  /** What is said behind it. */
  readonly after: string;
}

const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/;

export function readDiff(text: string): Diff | undefined {
  const lines = text.replace(/\n$/, '').split('\n');
  const start = lines.findIndex((_, at) => isHead(lines, at));
  if (start < 0) return undefined;
  const files: FileDiff[] = [];
  let at = start;
  while (isHead(lines, at)) {
    const [file, next] = readFile(lines, at);
    files.push(file);
    at = next;
  }
  const before = lines.slice(0, start).join('\n').trim();
  return { kind: 'diff', before, files, after: lines.slice(at).join('\n').trim() };
}

/** Whether a file's part begins here. */
function isHead(lines: readonly string[], at: number): boolean {
  const [old, new_, hunk] = lines.slice(at, at + 3);
  const isNamed = old?.startsWith('--- ') === true && new_?.startsWith('+++ ') === true;
  return isNamed && hunk !== undefined && HUNK.test(hunk);
}

function readFile(lines: readonly string[], start: number): [FileDiff, number] {
  const [old, new_] = [named(lines[start]), named(lines[start + 1])];
  const hunks: Hunk[] = [];
  let at = start + 2;
  for (let match = HUNK.exec(lines[at] ?? ''); match; match = HUNK.exec(lines[at] ?? '')) {
    const [hunk, next] = readHunk(lines, at + 1, match);
    hunks.push(hunk);
    at = next;
  }
  const counted = (kind: DiffLine['kind']) =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter((it) => it.kind === kind).length, 0);
  const file: FileDiff = {
    name: new_ ?? old ?? '',
    is: old === undefined ? 'new' : new_ === undefined ? 'deleted' : 'changed',
    added: counted('added'),
    removed: counted('removed'),
    hunks,
  };
  return [file, at];
}

/** A hunk says how many lines it has: a removed line that begins with `--` is no new file. */
function readHunk(lines: readonly string[], start: number, match: RegExpExecArray): [Hunk, number] {
  const [, oldStart, oldCount = '1', newStart, newCount = '1', head = ''] = match;
  let [old, new_] = [Number(oldStart), Number(newStart)];
  const [oldEnd, newEnd] = [old + Number(oldCount), new_ + Number(newCount)];
  const read: DiffLine[] = [];
  let at = start;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const text = line.slice(1);
    if (line.startsWith('\\')) read.push({ kind: 'note', text: text.trim() });
    else if (old >= oldEnd && new_ >= newEnd) break;
    else if (line.startsWith('+')) read.push({ kind: 'added', text, new: new_++ });
    else if (line.startsWith('-')) read.push({ kind: 'removed', text, old: old++ });
    else if (line.startsWith(' ') || line === '') {
      read.push({ kind: 'same', text, old: old++, new: new_++ });
    } else break;
  }
  return [{ head, lines: read }, at];
}

/** The name in a `---` or `+++` line; none for a file that is not there. */
function named(line = ''): string | undefined {
  const name = line.slice(4).split('\t')[0] ?? '';
  return name === '/dev/null' ? undefined : name.replace(/^[ab]\//, '');
}
