import { describe, expect, it } from 'vitest';
import { live, log, names } from '../../tests/logs/read';
import { isEvent } from './check';
import type { Turn } from './model';
import { callsOf, isAskedWithin, undecided } from './read';
import { fold } from './reducer';
import { isProvisional, type Event } from './types';

/** A run whose one call is the run of these events, as far as that has come. */
function around(inner: readonly Event[]): Event[] {
  const run = inner[0]?.run;
  const own = inner.filter((event) => event.run === run);
  const head = [
    {
      type: 'run_started',
      version: 2,
      conversation_id: 'talk',
      model: 'test:model',
      limits: { rounds: 5, calls: 9 },
    },
    { type: 'round_started', of: 5, tool_choice: 'auto' },
    {
      type: 'tool_calls',
      tool_calls: [{ id: 'ask', tool: 'helper', args: {}, status: 'pending' }],
    },
    { type: 'call_checked', id: 'ask', tool: 'helper', arguments: {}, effect: 'idempotent' },
    { type: 'call_started', id: 'ask', tool: 'helper' },
  ];
  const all = [...head, ...own.map((event) => ({ type: 'nested', id: 'ask', event }))];
  let seq = 0;
  return all.map((it) => {
    const event = { ...it, seq, run: 'outer', round: 1, at: 1 } as unknown as Event;
    if (!isProvisional(event)) seq += 1;
    return event;
  });
}

function only(events: readonly Event[]): Turn | undefined {
  return fold(live([...events])).turns[0];
}

describe.each(names)('the log %s within a run', (name) => {
  const events = log(name);
  const own = events.filter((event) => event.run === events[0]?.run);

  it('is folded as it is on its own', () => {
    const alone = fold(live(own)).turns[0];
    const outer = only(around(events));
    expect(outer && callsOf(outer)[0]?.nested).toEqual(alone);
  });

  it('waits for a person where something in it does', () => {
    for (let end = 1; end <= own.length; end += 1) {
      const alone = only(own.slice(0, end));
      const outer = only(around(own.slice(0, end)));
      const call = outer && callsOf(outer)[0];
      const waits = alone !== undefined && undecided(alone).length > 0;
      expect(call && isAskedWithin(call)).toBe(waits);
      expect(outer && undecided(outer).length > 0).toBe(waits);
    }
  });
});

it('is no event where what happened in it is none', () => {
  const [event] = around(log(names[0] ?? '')).slice(-1);
  expect(isEvent(event)).toBe(true);
  expect(isEvent({ ...event, event: { type: 'content' } })).toBe(false);
  expect(isEvent({ ...event, event: undefined })).toBe(false);
  // However deep it is, the page stands.
  let deep: unknown = event;
  for (let depth = 0; depth < 50_000; depth += 1) deep = { ...event, event: deep };
  expect(isEvent(deep)).toBe(false);
});
