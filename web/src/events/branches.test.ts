import { describe, expect, it } from 'vitest';
import { pathTo, tipOf, versionsOf } from './branches';
import type { Conversation, Turn } from './model';
import { answer, callsOf } from './read';
import { fold } from './reducer';
import type { BranchPoint, Event } from './types';

/** A run with this many rounds that call, and an answer. */
function run(id: string, rounds: number, after?: BranchPoint): Event[] {
  const usage = { prompt_tokens: 1, completion_tokens: 1 };
  const events: unknown[] = [
    {
      type: 'run_started',
      version: 2,
      conversation_id: 'conv',
      model: 'm',
      limits: { rounds: 9, calls: 9 },
      ...(after ? { after } : {}),
    },
    { type: 'message', message: { role: 'user', content: `${id}?` } },
  ];
  for (let round = 1; round <= rounds + 1; round += 1) {
    const call = { id: `${id}_${round}`, tool: 'look', args: {} };
    const begun = { type: 'round_started', of: 9, tool_choice: 'auto' };
    const calls = round <= rounds;
    const message = { role: 'assistant', content: calls ? '' : `${id}.` };
    events.push(begun, { type: 'reply', message, usage, finish: calls ? 'tool_calls' : 'stop' });
    if (!calls) continue;
    const told = { role: 'tool', content: 'there' };
    events.push({ type: 'tool_calls', tool_calls: [call] });
    const status = 'success';
    events.push({ type: 'call_finished', id: call.id, status, message: told, elapsed_ms: 1 });
  }
  events.push({ type: 'done', response: `${id}.`, finish_reason: 'stop', usage });
  const head = { run: id, round: 1, at: 1 };
  return events.map((event, seq) => ({ ...head, seq, ...(event as object) }) as Event);
}

function folded(...runs: Event[][]): Conversation {
  return fold(runs.flat().map((event) => ({ event })));
}

function ids(turns: readonly Turn[]): string[] {
  return turns.map((it) => it.run);
}

/** Behind the last event of a run without calls. */
const end = (id: string): BranchPoint => ({ from: 'event', run: id, seq: 4 });

describe('a conversation in which questions were asked anew', () => {
  const talk = folded(
    run('a', 0),
    run('b', 0),
    run('c', 0, end('a')),
    run('d', 0),
    run('e', 0, { from: 'start' }),
  );

  it('shows the newest path, and nothing twice', () => {
    expect(ids(talk.turns)).toEqual(['e']);
    const before = folded(run('a', 0), run('b', 0), run('c', 0, end('a')), run('d', 0));
    expect(ids(before.turns)).toEqual(['a', 'c', 'd']);
    expect(before.turns.map(answer)).toEqual(['a.', 'c.', 'd.']);
  });

  it('has every path', () => {
    const { runs } = talk;
    expect(ids(pathTo(runs, 'b'))).toEqual(['a', 'b']);
    expect(ids(pathTo(runs, 'd'))).toEqual(['a', 'c', 'd']);
    expect(ids(pathTo(runs, 'nobody'))).toEqual(['e']);
  });

  it('knows the versions of a question, and where each leads', () => {
    const { runs } = talk;
    expect(versionsOf(runs, 'b')).toEqual(['b', 'c']);
    expect(versionsOf(runs, 'e')).toEqual(['a', 'e']);
    expect(versionsOf(runs, 'd')).toEqual(['d']);
    expect(tipOf(runs, 'a')).toBe('d');
    expect(tipOf(runs, 'b')).toBe('b');
    expect(tipOf(runs, 'c')).toBe('d');
  });

  it('is a plain line where nothing was', () => {
    const plain = folded(run('a', 0), run('b', 1));
    expect(plain.turns).toBe(plain.runs);
  });

  it('goes on from the middle of a run', () => {
    // Behind the result of its first call.
    const middle = folded(run('a', 2), run('b', 0, { from: 'event', run: 'a', seq: 5 }));
    expect(ids(middle.turns)).toEqual(['a', 'b']);
    const first = middle.turns[0] as Turn;
    expect(callsOf(first)).toHaveLength(1);
    expect([first.cut, answer(first)]).toEqual([true, '']);
    expect(callsOf(pathTo(middle.runs, 'a')[0] as Turn)).toHaveLength(2);
  });

  it('takes what names nobody for what follows the run before', () => {
    const odd = folded(run('a', 0), run('b', 0, { from: 'event', run: 'x', seq: 1 }));
    expect(ids(odd.turns)).toEqual(['a', 'b']);
    const later = folded(run('a', 0, end('b')), run('b', 0));
    expect(ids(later.turns)).toEqual(['a', 'b']);
  });
});
