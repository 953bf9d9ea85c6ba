import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { readDiff } from './diff';
import { marked, readHits, readSource, readTree, readWritten } from './files';
import { readShell } from './shell';

function sample(name: string): { args: unknown; text: string } {
  return JSON.parse(
    readFileSync(new URL(`../../../tests/results/${name}.json`, import.meta.url), 'utf8'),
  );
}

describe('a diff', () => {
  it('has numbers on both sides', () => {
    const [file] = readDiff(sample('edit').text)?.files ?? [];
    expect(file).toMatchObject({ name: 'README.md', is: 'changed', added: 1, removed: 1 });
    expect(file?.hunks[0]?.lines.slice(2)).toEqual([
      { kind: 'same', text: '', old: 4, new: 4 },
      { kind: 'removed', text: '- fast', old: 5 },
      { kind: 'added', text: '- quick', new: 5 },
      { kind: 'same', text: '- small', old: 6, new: 6 },
    ]);
  });

  it('goes by the counts of its hunks', () => {
    const text =
      '--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- a note\n+++ b\n same\n--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@ fn f()\n-gone\n';
    const [first, second] = readDiff(text)?.files ?? [];
    expect(first?.hunks[0]?.lines.map(({ kind, text }) => [kind, text])).toEqual([
      ['removed', '-- a note'],
      ['added', '++ b'],
      ['same', 'same'],
    ]);
    expect(second).toMatchObject({
      name: 'y',
      is: 'deleted',
      removed: 1,
      hunks: [{ head: 'fn f()' }],
    });
  });

  it('says what is left out, and what stands before it', () => {
    const text =
      'Done.\n\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,9 @@\n+a\n\\ No newline at end of file\n[… the rest of the diff is left out]\n';
    const read = readDiff(text);
    expect(read).toMatchObject({ before: 'Done.', after: '[… the rest of the diff is left out]' });
    expect(read?.files[0]).toMatchObject({ is: 'new', added: 1 });
    expect(read?.files[0]?.hunks[0]?.lines[1]).toEqual({
      kind: 'note',
      text: 'No newline at end of file',
    });
  });

  it('is none without a hunk', () => {
    for (const text of ['', '--- a\n+++ b', '--- a\n+++ b\nrest', '@@ -1 +1 @@']) {
      expect(readDiff(text), text).toBeUndefined();
    }
  });
});

describe('a file', () => {
  it('has its lines by number', () => {
    const { args, text } = sample('file-part');
    expect(readSource(args, text)).toEqual({
      kind: 'source',
      path: 'src/main.rs',
      lines: [
        { number: 3, text: '' },
        { number: 4, text: 'fn main() -> io::Result<()> {' },
        { number: 5, text: '    let mut text = String::new();' },
      ],
      note: 'lines 3-5 of 10; ask for start_line 6 to see more',
    });
    expect(readSource({}, 'This is a binary file of 12 bytes. It is not shown.')).toBeUndefined();
  });

  it('that was written is what the arguments say', () => {
    const { args, text } = sample('write');
    expect(readWritten(args, text)?.lines.map((line) => line.text)).toEqual(['a', 'b']);
    expect(readWritten(args, 'Error executing write: it exists')).toBeUndefined();
  });
});

describe('a search', () => {
  it('is told by file, with what is around', () => {
    const { args, text } = sample('hits-context');
    const read = readHits(args, text);
    expect(read?.files.map(({ path, matches }) => [path, matches])).toEqual([
      ['README.md', 1],
      ['src/main.rs', 3],
      ['tests/it/main.rs', 1],
    ]);
    expect(read?.files[1]?.parts.map((part) => part.map(({ number, is }) => [number, is]))).toEqual(
      [
        [
          [1, 'match'],
          [2, 'context'],
        ],
        [
          [6, 'context'],
          [7, 'match'],
          [8, 'match'],
          [9, 'context'],
        ],
      ],
    );
    expect(read?.files[1]?.parts[1]?.map(({ text: line }) => line)).toEqual([
      '    io::stdin().read_to_string(&mut text)?;',
      '    let words = text.split_whitespace().count();',
      '    println!("{words} words");',
      '    Ok(())',
    ]);
  });

  it('reads files whose names look like lines', () => {
    const read = readHits({}, 'a-1-b.rs-2- x\na-1-b.rs:3:  y\n\n[2 binary files were skipped]');
    expect(read?.files[0]).toMatchObject({
      path: 'a-1-b.rs',
      parts: [
        [
          { number: 2, text: ' x' },
          { number: 3, text: ' y' },
        ],
      ],
    });
    expect(read?.note).toBe('2 binary files were skipped');
  });

  it('marks words and never runs a pattern', () => {
    expect(marked('a word, a word', 'word')).toEqual([
      ['a ', false],
      ['word', true],
      [', a ', false],
      ['word', true],
      ['', false],
    ]);
    expect(marked('aaaa!', '(a+)+$')).toEqual([['aaaa!', false]]);
    expect(marked('text', '')).toEqual([['text', false]]);
  });
});

describe('a list', () => {
  it('is a tree', () => {
    const read = readTree(sample('tree').text);
    const names = (entries = read?.entries ?? []): unknown[] =>
      entries.map((it) => (it.is === 'folder' ? [it.name, ...names([...it.entries])] : it.name));
    expect(names()).toEqual([
      'Cargo.toml',
      'README.md',
      ['src', 'main.rs'],
      ['tests', ['it', 'main.rs']],
    ]);
    expect(read?.files).toBe(4);
    expect(read?.entries[0]?.detail).toBe('60 bytes');
  });

  it('of a folder keeps the way to it', () => {
    const read = readTree(
      'src/tools/\nsrc/tools/a b (1.5 KiB)\nsrc/l -> ../x/\nsrc/p (a pipe)\n\n[12 more entries are left out]',
    );
    expect(read?.entries.map(({ name, is, detail }) => [name, is, detail])).toEqual([
      ['src/tools', 'folder', ''],
      ['src/l', 'other', '→ ../x/'],
      ['src/p', 'other', 'a pipe'],
    ]);
    expect(read?.entries[0]?.entries[0]?.name).toBe('a b');
    expect(read?.note).toBe('12 more entries are left out');
  });

  it('is none where a line is something else', () => {
    for (const text of [
      '',
      'There is nothing in src, apart from what is ignored.',
      'a/\nand then',
    ]) {
      expect(readTree(text), text).toBeUndefined();
    }
  });
});

describe('a command', () => {
  it('ends as it ended', () => {
    const read = (name: string) => readShell(sample(name).args, sample(name).text);
    expect(read('shell')).toMatchObject({
      ending: 'exit 0',
      isOk: true,
      took: '0.1 s',
      failure: '',
    });
    expect(read('shell-silent')).toMatchObject({ output: '', isOk: true });
    const failed = read('shell-failed');
    expect(failed).toMatchObject({
      ending: 'exit 3',
      isOk: false,
      failure: 'Command failed with exit code 3',
    });
    expect(failed?.output.startsWith('total 20\n')).toBe(true);
    expect(failed?.output.endsWith('\noops')).toBe(true);
    expect(read('shell-timeout')).toMatchObject({ ending: 'stopped', output: '', isOk: false });
  });

  it('is shown without what only a terminal understands', () => {
    const text =
      '\u001b[1;31mred\u001b[0m \u001b]0;title\u0007x\r\n10%\r50%\rdone\n[exit 0, 0.1 s]';
    expect(readShell({}, text)?.output).toBe('red x\ndone');
  });

  it('is none without its last line', () => {
    expect(readShell({ command: 'x' }, '[exit 0, 0.1 s]\nmore')).toBeUndefined();
    expect(readShell({ command: 'x' }, 'The call was interrupted')).toBeUndefined();
  });
});
