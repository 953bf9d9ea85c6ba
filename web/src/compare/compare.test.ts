import { describe, expect, it } from 'vitest';
import { made, type MadeCall } from '../../tests/logs/made';
import { kept, log, names } from '../../tests/logs/read';
import type { Turn } from '../events/model';
import { callsOf } from '../events/read';
import { fold } from '../events/reducer';
import { align } from './align';
import { compare, compareWords, isAlike } from './compare';
import { stretches } from './stretches';

function turn(rounds: MadeCall[][], answer = 'That one.'): Turn {
  const [found] = fold(made({ run: 'run_x', rounds, answer }).map((event) => ({ event }))).turns;
  if (!found) throw new Error('there is no turn');
  return found;
}

const all = names.flatMap((name) => fold(kept(log(name))).turns);
const show = (path: string, text = 'ok'): MadeCall => ({ tool: 'show', args: { path }, text });

/** The rows in short. */
function told(left: MadeCall[][], right: MadeCall[][]): string[] {
  return compare(turn(left), turn(right)).calls.map((row) => {
    const changes = row.changes.map((it) => `${it.name}: ${it.left} → ${it.right}`).join();
    const of = row.left?.tool ?? row.right?.tool;
    return [row.kind, of, changes, row.result === 'other' ? 'other result' : '']
      .filter((it) => it !== '')
      .join(' ');
  });
}

describe('two runs', () => {
  it('that are one do not differ', () => {
    for (const it of all) expect(isAlike(compare(it, it))).toBe(true);
  });

  it('have every call of each exactly once, in its order', () => {
    for (const left of all) {
      for (const right of all) {
        const { calls } = compare(left, right);
        expect(calls.flatMap((row) => row.left ?? [])).toEqual(callsOf(left));
        expect(calls.flatMap((row) => row.right ?? [])).toEqual(callsOf(right));
      }
    }
  });

  it('have words that are those of their answers', () => {
    for (const left of all.slice(0, 12)) {
      for (const right of all) {
        const { answer } = compare(left, right);
        const side = (of: string) =>
          answer.map((it) => (it.in === 'both' || it.in === of ? it.text : '')).join('');
        expect(side('left')).toBe(left.response ?? '');
        expect(side('right')).toBe(right.response ?? '');
      }
    }
  });

  it('are aligned by what they called', () => {
    expect(told([[show('a'), show('b')]], [[show('a')], [show('b')]])).toEqual([
      'same show',
      'same show',
    ]);
    expect(told([[show('a'), show('b')]], [[show('a'), show('c'), show('b')]])).toEqual([
      'same show',
      'right show',
      'same show',
    ]);
    expect(told([[show('a'), { tool: 'tip' }]], [[show('b'), { tool: 'tip' }]])).toEqual([
      'changed show path: a → b',
      'same tip',
    ]);
    expect(told([[{ tool: 'a' }]], [[{ tool: 'b' }]])).toEqual(['left a', 'right b']);
    expect(told([[show('a', 'old')]], [[show('a', 'new')]])).toEqual(['same show other result']);
  });

  it('have the same call, in whichever order its arguments stand', () => {
    const one: MadeCall = { tool: 'x', args: { a: 1, b: { c: 2, d: 3 } } };
    const two: MadeCall = { tool: 'x', args: { b: { d: 3, c: 2 }, a: 1 } };
    expect(told([[one]], [[two]])).toEqual(['same x']);
  });

  it('have figures side by side', () => {
    const { figures } = compare(turn([[show('a')]]), turn([[show('a'), show('b')]]));
    expect(figures).toContainEqual({ name: 'calls', left: 1, right: 2 });
    expect(figures.map((it) => it.name)).toEqual(['time', 'rounds', 'calls', 'tokens']);
  });
});

describe('stretches', () => {
  it('tell many alike in a row as one, and leave out none', () => {
    const many = (count: number, of: string) =>
      Array.from({ length: count }, (_, at) => show(`${of}${at}`));
    const { calls } = compare(
      turn([[...many(5, 'a'), show('x'), ...many(2, 'b')]]),
      turn([[...many(5, 'a'), show('y'), ...many(2, 'b')], [...many(9, 'c')]]),
    );
    const all = stretches(calls);
    expect(
      all.map((it) => (it.kind === 'row' ? it.row.kind : `${it.kind} ×${it.rows.length}`)),
    ).toEqual(['same ×5', 'changed', 'same', 'same', 'right ×9']);
    expect(all.flatMap((it) => (it.kind === 'row' ? [it.row] : it.rows))).toEqual(calls);
  });
});

describe('words', () => {
  it('are told apart, and what is the same is one piece', () => {
    expect(compareWords('It is 10 degrees.', 'It is 12 degrees.')).toEqual([
      { in: 'both', text: 'It is ' },
      { in: 'left', text: '10' },
      { in: 'right', text: '12' },
      { in: 'both', text: ' degrees.' },
    ]);
    expect(compareWords('', 'New')).toEqual([{ in: 'right', text: 'New' }]);
    expect(compareWords('', '')).toEqual([]);
  });
});

describe('very long lists', () => {
  it('are aligned as far as that can be done at once', () => {
    const left = Array.from({ length: 9_000 }, (_, at) => `a${at}`);
    const right = Array.from({ length: 9_000 }, (_, at) => (at % 2 ? `a${at}` : `b${at}`));
    const pairs = align(['same', ...left, 'end'], ['same', ...right, 'end']);
    expect(pairs[0]).toEqual({ left: 0, right: 0 });
    expect(pairs.at(-1)).toEqual({ left: 9_001, right: 9_001 });
    expect(pairs.filter((it) => it.left !== undefined)).toHaveLength(9_002);
    expect(pairs.filter((it) => it.right !== undefined)).toHaveLength(9_002);
  });
});
