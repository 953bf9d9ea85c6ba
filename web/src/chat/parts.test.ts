import { describe, expect, it } from 'vitest';
import { live, log, names } from '../../tests/logs/read';
import { empty } from '../events/model';
import { answer } from '../events/read';
import { apply, fold } from '../events/reducer';
import type { EventOf } from '../events/types';
import { cutOff, parts, status, type Part } from './parts';

type Reason = EventOf<'done'>['finish_reason'];

function turn(name: string) {
  const found = fold(live(log(name))).turns.at(-1);
  if (!found) throw new Error(`${name} has no turn`);
  return found;
}

function brief(part: Part): string {
  if (part.type === 'said') return part.kind;
  if (part.type === 'told') return `told ${part.text}`;
  return part.rounds.map((round) => round.calls.map((call) => call.tool).join('+')).join(' > ');
}

describe.each(names)('the log %s', (name) => {
  it('never loses or moves a part while it runs', () => {
    let state = empty;
    let before = new Map<string, string[]>();
    const items = live(log(name));
    for (const [index, item] of items.entries()) {
      state = apply(state, item);
      // What happens in one moment is painted at once.
      if (items[index + 1]?.event.at === item.event.at) continue;
      const now = new Map(state.turns.map((it) => [it.run, parts(it).map((part) => part.key)]));
      for (const [run, keys] of before) expect(now.get(run)?.slice(0, keys.length)).toEqual(keys);
      before = now;
    }
  });

  it('shows its answer, once', () => {
    const last = turn(name);
    const shown = last.hasForm
      ? '```json\n{\n  "tip": 9.12,\n  "total": 54.72\n}\n```'
      : answer(last);
    const said = parts(last).filter((part) => part.type === 'said' && part.text === shown);
    expect(said).toHaveLength(answer(last) === '' ? 0 : 1);
  });
});

it('puts calls of rounds without words into one row', () => {
  expect(parts(turn('chain')).map(brief)).toEqual([
    'search_instruments > get_market_quote',
    'answer',
  ]);
  expect(parts(turn('parallel')).map(brief)).toEqual(['get_weather+calculate_tip', 'answer']);
});

it('shows what was said to the run where it was taken up', () => {
  const steered = turn('steered');
  expect(parts(steered).map(brief)).toEqual([
    'search_instruments',
    'told And say it in one sentence.',
    'answer',
    'told In capitals, please.',
    'answer',
  ]);
  expect(steered.question).toBe('Which id has NIFTY?');
});

it('shows an answer on the way although an answer may be rejected', () => {
  const items = live(log('steered')).filter(({ event }) => event.type !== 'reviewed');
  const before = items.findLastIndex(({ event }) => event.type === 'round_started');
  const last = fold(items.slice(0, before)).turns.at(-1);
  if (!last) throw new Error('no turn');
  const strict = { ...last, review: 'enforce' as const };
  expect(parts(strict).map(brief)).toContain('answer');
});

it('shows what was sent back as such', () => {
  expect(parts(turn('returned')).map(brief)).toContain('rejected');
});

it('shows an answer that has a form as the JSON it is', () => {
  expect(parts(turn('typed')).map(brief)).toEqual(['calculate_tip', 'aside', 'rejected', 'answer']);
});

it('shows one answer where another was rejected', () => {
  const answers = (name: string) =>
    parts(turn(name)).flatMap((part) =>
      part.type === 'said' && part.kind === 'answer' ? [part.text] : [],
    );
  expect(answers('enforced')).toEqual(['The tip is $9.12.']);
  expect(answers('replaced')).toEqual(['{"tip":9.12,"total":54.72}']);
  expect(parts(turn('replaced')).map(brief)).toContain('rejected');
});

it('shows nothing that may yet be rejected', () => {
  for (const name of ['enforced', 'replaced']) {
    let state = empty;
    for (const item of live(log(name))) {
      state = apply(state, item);
      const last = state.turns.at(-1);
      const shown = last ? parts(last) : [];
      const wrong = shown.some(
        (part) => part.type === 'said' && part.kind !== 'rejected' && part.text.includes('7.77'),
      );
      expect(wrong).toBe(false);
      expect(last ? answer(last) : '').not.toContain('7.77');
    }
  }
});

it('says what goes on', () => {
  const said = new Set<string>();
  let state = empty;
  for (const item of live(log('allowed'))) {
    state = apply(state, item);
    const last = state.turns.at(-1);
    if (last?.endedAt === undefined && last) said.add(status(last));
  }
  expect([...said]).toEqual(
    expect.arrayContaining(['Analyzing the request', 'Waiting for you: edit', 'Running edit']),
  );
});

it('says which model is asked instead', () => {
  const items = live(log('model-fallback'));
  const at = items.findIndex((it) => it.event.type === 'model_fallback');
  const said = (count: number) => {
    const last = fold(items.slice(0, count)).turns.at(-1);
    return last ? status(last) : '';
  };
  const retried = items.findIndex((it) => it.event.type === 'model_retry');
  expect(said(retried + 1)).toBe('The model did not answer, trying again (attempt 2)');
  expect(said(at + 1)).toBe('Asking openai:scripted instead');
  expect(said(at + 2)).toBe('Writing the answer');
});

it('counts every call, also those of one tool', () => {
  const items = live(log('parallel'));
  const at = items.findIndex(({ event }) => event.type === 'tool_calls');
  const said = (...tools: string[]) => {
    const given = items.slice(0, at + 1).map((item) => {
      if (item.event.type !== 'tool_calls') return item;
      const [first] = item.event.tool_calls;
      if (!first) throw new Error('no call');
      const calls = tools.map((tool, index) => ({ ...first, id: `c${index}`, tool }));
      return { ...item, event: { ...item.event, tool_calls: calls } };
    });
    const last = fold(given).turns.at(-1);
    return last ? status(last) : '';
  };
  expect(said('bash')).toBe('Running bash');
  expect(said('bash', 'write')).toBe('Running bash and write');
  expect(said('bash', 'bash')).toBe('Running bash ×2');
  expect(said('bash', 'bash', 'write', 'show', 'edit')).toBe('Running bash ×2, write and 2 more');
  expect(said('bash', 'write', 'show', 'show', 'show')).toBe('Running bash, write and 3 more');
});

it('says that an answer is cut off, and of no other', () => {
  const items = live(log('parallel'));
  const ending = (reason: Reason) =>
    fold(
      items.map((item) =>
        item.event.type === 'done'
          ? { ...item, event: { ...item.event, finish_reason: reason } }
          : item,
      ),
    ).turns.at(-1);
  const told = (reason: Reason) => {
    const turn = ending(reason);
    return turn ? cutOff(turn) : undefined;
  };
  expect(told('stop')).toBeUndefined();
  expect(told('length')).toContain('cut off');
  expect(told('content_filter')).toContain('withheld');
  expect(told('refusal')).toContain('declined');
});
