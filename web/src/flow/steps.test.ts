import { describe, expect, it } from 'vitest';
import { kept, live, log, names } from '../../tests/logs/read';
import type { Turn } from '../events/model';
import { fold } from '../events/reducer';
import type { EventOf } from '../events/types';
import { sentence } from './sentence';
import { steps } from './steps';

function turn(name: string, until?: string): Turn {
  const items = live(log(name));
  const cut = until ? items.findIndex(({ event }) => event.type === until) + 1 : items.length;
  const found = fold(items.slice(0, cut)).turns[0];
  if (!found) throw new Error('no turn');
  return found;
}

function titles(of: Turn, going = false): string[] {
  return steps(of, going).map((step) => `${step.title}${step.to === undefined ? ' …' : ''}`);
}

describe('steps', () => {
  it('lead from the request over rounds to the answer', () => {
    expect(titles(turn('chain'))).toEqual([
      'Analyzing request',
      'Round 1 of 5',
      'Round 2 of 5',
      'Generating response',
      'Answered',
    ]);
  });

  it.each<[string, string, string[]]>([
    ['chain', 'round_started', ['Analyzing request …']],
    ['chain', 'call_delta', ['Analyzing request …', 'Round 1 of 5 …']],
    ['chain', 'reply', ['Analyzing request', 'Round 1 of 5 …']],
    ['chain', 'tool_calls', ['Analyzing request', 'Round 1 of 5 …']],
    ['chain', 'call_finished', ['Analyzing request', 'Round 1 of 5']],
    [
      'chain',
      'content',
      ['Analyzing request', 'Round 1 of 5', 'Round 2 of 5', 'Generating response …'],
    ],
    ['cancelled-mid-answer', 'content', ['Analyzing request', 'Generating response …']],
    ['refused', 'reasoning', ['Analyzing request …']],
    ['model-error', 'model_retry', ['Analyzing request …']],
  ])('of %s up to its first %s', (name, until, said) => {
    expect(titles(turn(name, until), true)).toEqual(said);
  });

  it.each<[string, string[]]>([
    ['model-error', ['Analyzing request', 'No reply', 'No answer']],
    ['cancelled-mid-answer', ['Analyzing request', 'Generating response', 'Stopped']],
    ['cancelled', ['Analyzing request', 'Round 1 of 50', 'Stopped']],
    ['single-shot', ['Analyzing request', 'Round 1 of 5', 'The results are the answer']],
    [
      'enforced',
      ['Analyzing request', 'Round 1 of 5', 'Answer sent back', 'Generating response', 'Answered'],
    ],
  ])('of %s', (name, said) => expect(titles(turn(name))).toEqual(said));

  it.each<[EventOf<'done'>['finish_reason'], string]>([
    ['stop', 'Answered'],
    ['length', 'Answer cut off'],
    ['content_filter', 'Answer withheld in part'],
    ['refusal', 'The model declined'],
  ])('of an answer that ended with %s', (finish_reason, title) => {
    const items = live(log('chain')).map((item) =>
      item.event.type === 'done' ? { ...item, event: { ...item.event, finish_reason } } : item,
    );
    const found = fold(items).turns[0];
    expect(found && titles(found).at(-1)).toBe(title);
    const whole = finish_reason === 'stop' || finish_reason === 'refusal';
    expect(found && sentence(found, false)).toMatch(whole ? /^Answered/ : /^The answer is cut off/);
  });

  it('of rounds take as long as their calls, and tell apart what the model took', () => {
    const of = turn('chain');
    const rounds = steps(of, false).filter((step) => step.kind === 'round');
    expect(rounds.map(({ from, to }) => [from, to])).toEqual(
      of.rounds
        .slice(0, 2)
        .map(({ repliedAt, calls }) => [
          repliedAt,
          Math.max(...calls.map((call) => call.finishedAt ?? 0)),
        ]),
    );
    const [, second] = of.rounds;
    // What the first took is the time of a step before it.
    expect(rounds.map((it) => it.askedMs)).toEqual([
      undefined,
      (second?.repliedAt ?? NaN) - (second?.startedAt ?? NaN),
    ]);
  });

  it('tell that a run was cut short', () => {
    expect(titles(turn('cancelled', 'call_started'))).toEqual([
      'Analyzing request',
      'Round 1 of 50',
      'Cut short',
    ]);
  });

  it.each(names)('of %s all end, and none before it began', (name) => {
    for (const it of fold(kept(log(name))).turns) {
      for (const step of steps(it, false)) {
        expect(step.to).toBeDefined();
        expect(step.to).toBeGreaterThanOrEqual(step.from ?? 0);
      }
    }
  });
});

describe('what is said aloud', () => {
  it('is one sentence for each state, not one for each piece of text', () => {
    const items = live(log('allowed'));
    const said = items.map((_, cut) => {
      const [first] = fold(items.slice(0, cut + 1)).turns;
      return first ? sentence(first, true) : '';
    });
    expect(said.filter((it, index) => it !== said[index - 1])).toEqual([
      'Analyzing request.',
      'Round 1.',
      'Running show.',
      'Round 1.',
      'Thinking.',
      'Round 2.',
      'Waiting for your decision about edit.',
      'Round 2.',
      'Running edit.',
      'Round 2.',
      'Thinking.',
      'Generating response.',
      'Answered, after 2 calls.',
    ]);
  });
});
