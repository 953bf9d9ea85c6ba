import { describe, expect, it } from 'vitest';
import { kept, live, log, names } from '../../tests/logs/read';
import { parse, write } from './export';
import { empty, type Call, type Conversation, type Turn } from './model';
import {
  answer,
  callState,
  callsOf,
  cost,
  findCall,
  isStreaming,
  reasoning,
  turnState,
  undecided,
} from './read';
import { apply, fold } from './reducer';
import { isProvisional, type Event, type Item } from './types';

function turn(name: string, index = 0): Turn {
  const found = fold(live(log(name))).turns.at(index);
  if (!found) throw new Error(`${name} has no turn ${index}`);
  return found;
}

function states(of: Turn): string[] {
  return callsOf(of).map((call) => `${call.tool} ${callState(call)}`);
}

function call(of: Turn, index = 0): Call {
  const found = callsOf(of).at(index);
  if (!found) throw new Error(`no call ${index}`);
  return found;
}

describe.each(names)('the log %s', (name) => {
  const events = log(name);

  it('is the same live, reloaded, exported and without positions', () => {
    const state = fold(live(events));
    expect(fold(kept(events))).toEqual(state);
    const parsed = parse(write(events));
    if (!parsed.ok) throw new Error(parsed.error);
    expect(fold(parsed.file.events.map((event) => ({ event })))).toEqual(state);
    expect(fold(events.map((event) => ({ event })))).toEqual(state);
  });

  it('is the same behind every committed event, with or without pieces', () => {
    let seen = empty;
    let stored = empty;
    for (const item of live(events)) {
      seen = apply(seen, item);
      if (isProvisional(item.event)) continue;
      stored = apply(stored, item);
      expect(seen).toEqual(stored);
    }
    // However many come at once.
    expect(fold(live(events))).toEqual(seen);
  });

  it('is the same when the stream is cut anywhere and read again from the beginning', () => {
    const items = live(events);
    const state = fold(items);
    for (let cut = 0; cut < items.length; cut += 1) {
      const some = fold(items.slice(0, cut));
      expect(fold(items.slice(0, cut), some)).toBe(some);
      if (cut % 7 === 0) expect(fold(items, some)).toEqual(state);
    }
  });

  it('ends, and every call has its result', () => {
    for (const it of fold(live(events)).turns) {
      expect(turnState(it)).not.toBe('running');
      expect(it.draft).toBeUndefined();
      for (const { phase, result } of callsOf(it))
        expect([phase, !!result]).toEqual(['finished', true]);
    }
  });
});

describe('what a log tells', () => {
  it('a chain: where an argument came from', () => {
    const nifty = turn('chain');
    expect(nifty.question).toBe("What's the current price of NIFTY?");
    expect(states(nifty)).toEqual(['search_instruments ok', 'get_market_quote ok']);
    expect(call(nifty, 1).provenance).toEqual([
      {
        argument: '/securities/IDX_I/0',
        from: 'result',
        call: 'call_2_0',
        tool: 'search_instruments',
        pointer: '/instruments/0/security_id',
      },
    ]);
    expect(answer(nifty)).toMatch(/^Nifty 50 \(NIFTY\)/);
    expect(nifty.rounds.map((round) => round.review?.verdict)).toEqual([
      undefined,
      undefined,
      'passed',
    ]);
  });

  it('a chain over two turns', () => {
    const state = fold(live(log('two-turns')));
    const [source] = call(turn('two-turns', 1)).provenance;
    if (source?.from !== 'result') throw new Error('no source');
    expect(findCall(state, source.call)?.turn).toBe(0);
  });

  it('parallel calls', () => {
    const both = turn('parallel');
    expect(both.rounds[0]?.calls.length).toBe(2);
    expect(states(both)).toEqual(['get_weather ok', 'calculate_tip ok']);
  });

  it('which guard refused a call', () => {
    const guards = callsOf(turn('refused')).map((it) => it.result?.guard);
    expect(guards).toEqual(['placeholders', 'grounded', undefined, undefined]);
    expect(states(turn('refused'))[0]).toBe('get_market_quote refused');
    expect(reasoning(turn('refused'))).toBe('I know the id of NIFTY. ');
  });

  it('failures, and arguments that are wrong', () => {
    expect(states(turn('failed'))).toEqual([
      'get_wether failed',
      'calculate_tip failed',
      'get_weather ok',
    ]);
  });

  it('a call that took too long', () => {
    expect(states(turn('timeout'))).toEqual(['bash timed_out']);
    expect(call(turn('timeout')).notes).toMatchObject([{ layer: 'timeout', action: 'total' }]);
  });

  it('an answer from the cache, and a breaker that opened', () => {
    expect(call(turn('cache'), 1).notes).toMatchObject([{ layer: 'cache', action: 'hit' }]);
    expect(call(turn('breaker')).notes).toMatchObject([{ layer: 'breaker', action: 'opened' }]);
    expect(states(turn('breaker'))).toEqual([
      'get_positions failed',
      'get_positions refused',
      'get_positions refused',
    ]);
    expect(turn('breaker').rounds[0]?.notes).toMatchObject([
      { kind: 'unavailable', text: '10 of 11 tools offered' },
    ]);
  });

  it('decisions', () => {
    expect(call(turn('allowed'), 1).decision).toEqual({ verdict: 'allow' });
    expect(call(turn('allowed'), 1).preview?.content?.kind).toBe('diff');
    expect(states(turn('denied'))).toEqual(['show ok', 'edit denied', 'bash denied']);
    expect(call(turn('denied'), 1).decision?.verdict).toBe('deny');
  });

  it('an edit: the arguments and the preview are those that were decided about', () => {
    const edited = call(turn('edited'), 1);
    expect(edited.arguments).toMatchObject({ new_string: 'Hello, everybody' });
    expect(edited.preview?.content?.text).toContain('+Hello, everybody');
    expect(edited.decision).toEqual({ verdict: 'allow_reviewed' });
    expect(edited.written).toMatchObject({ new_string: 'Hello, reader' });
    expect(edited.waits.map((it) => it.to !== undefined)).toEqual([true, true]);
  });

  it('an edit that was not taken: the call is as it was', () => {
    const asked = call(turn('edit-refused'), 1);
    expect(asked.arguments).toMatchObject({ new_string: 'Hello, reader' });
    expect(asked.written).toBeUndefined();
    expect(asked.notes).toMatchObject([{ layer: 'notice' }]);
    expect(asked.waits.length).toBe(2);
  });

  it('questions of a tool, until they are answered', () => {
    const events = live(log('question'));
    const at = (type: string) => events.findIndex(({ event }) => event.type === type);
    const asked = fold(events.slice(0, at('question_asked') + 1)).turns[0];
    if (!asked) throw new Error('no turn');
    expect(states(asked)).toEqual(['book waiting']);
    expect(undecided(asked).map((it) => it.id)).toEqual([call(asked).id]);
    expect(call(asked).questions).toMatchObject([
      { id: 'q1', question: { asker: 'Tables & Co', mode: 'form' } },
    ]);
    const answered = fold(events.slice(0, at('question_answered') + 1)).turns[0];
    if (!answered) throw new Error('no turn');
    expect(states(answered)).toEqual(['book running']);
    expect(undecided(answered)).toEqual([]);
    expect(call(answered).notes).toMatchObject([{ layer: 'question', action: 'accept' }]);
    expect(states(turn('question'))).toEqual(['book ok', 'book ok']);
    // Where the call ends first, or is taken up again, nobody is asked any more.
    const without = log('question').filter((it) => it.type !== 'question_answered');
    expect(callsOf(fold(live(without)).turns[0] ?? asked).flatMap((it) => it.questions)).toEqual(
      [],
    );
  });

  it('a run that was stopped', () => {
    expect(states(turn('cancelled'))).toEqual(['bash cancelled', 'show cancelled']);
    expect(turn('cancelled').error?.kind).toBe('cancelled');
    expect(turn('cancelled').rounds[0]?.content).toBe('Let me look.');
    expect(answer(turn('cancelled-mid-answer'))).toMatch(/^word word/);
  });

  it('a run that was interrupted and resumed', () => {
    expect(states(turn('interrupted'))).toEqual(['bash interrupted', 'show ok']);
    expect(answer(turn('interrupted'))).toBe('The file greets.');
  });

  it('a model that failed, and one that was asked again', () => {
    const failed = turn('model-error');
    expect(turnState(failed)).toBe('failed');
    expect(failed.error).toMatchObject({ kind: 'model', of: 'server' });
    expect(failed.rounds[0]?.retries.map((it) => it.attempt)).toEqual([2, 3]);
    expect(answer(turn('model-retry'))).toBe('Here I am.');
  });

  it('a model that gave no reply, and another that went on at its own price', () => {
    const text = 'anthropic:scripted gave no reply (the reply broke off): openai:scripted goes on';
    const whole = turn('model-fallback');
    expect(whole.rounds[1]?.notes).toMatchObject([{ kind: 'fallback', text }]);
    expect(whole.model).toBe('openai:scripted');
    expect(answer(whole)).toBe('The sky is blue.');
    expect(cost(whole)).toBeCloseTo((2100 + 61 * 2 + 2100 * 10 + 61 * 20) / 1e6, 12);
    // What the first had begun to say is taken back.
    const events = live(log('model-fallback'));
    const at = events.findIndex((it) => it.event.type === 'model_fallback');
    expect(fold(events.slice(0, at)).turns[0]?.draft?.content).toBe('It is gr');
    expect(fold(events.slice(0, at + 1)).turns[0]?.draft).toBeUndefined();
    expect(fold(events.slice(0, at + 2)).turns[0]?.draft?.content).toBe('The ');
  });

  it('a model that was passed over before it was asked, and what an empty reply cost', () => {
    const start = log('model-fallback')[0];
    if (start?.type !== 'run_started') throw new Error('it does not begin');
    const { run, round, at } = start;
    const usage = { prompt_tokens: 7, completion_tokens: 1 };
    const said = { type: 'model_fallback', from: 'a:b', to: 'c:d', reason: 'busy', usage } as const;
    const one = fold([{ event: start }, { event: { seq: 1, run, round, at, ...said } }]).turns[0];
    if (!one) throw new Error('no turn');
    expect(one.notes).toMatchObject([{ kind: 'fallback' }]);
    expect(one.usage).toEqual(usage);
    // It has no price, and what was used before is charged at the one before.
    expect(cost(one)).toBeCloseTo(9 / 1e6, 12);
  });

  it('a single shot: the results are the answer', () => {
    const shot = turn('single-shot');
    expect(shot.mode).toBe('single_shot');
    expect(shot.rounds.length).toBe(1);
    expect(answer(shot)).toContain('Paris');
  });

  it('limits and digests', () => {
    expect(turn('limit-reached').rounds[1]?.notes).toMatchObject([{ kind: 'limit' }]);
    expect(turn('compacted', 1).notes).toMatchObject([{ kind: 'compacted' }]);
  });

  it('calls found in text', () => {
    const [mended, found] = callsOf(turn('repaired'));
    expect([mended?.source, found?.source]).toEqual(['repaired', 'extracted']);
  });

  it('an answer that was sent back is not the answer', () => {
    const sent = turn('returned');
    expect(sent.rounds[1]?.returned?.guard).toBe('unfinished');
    expect(answer(sent)).toMatch(/^The tip is \$9\.12/);
    expect(turn('enforced').rounds[1]?.review?.verdict).toBe('returned');
    expect(turn('enforced').rounds[1]?.returned?.guard).toBe('review');
  });
});

describe('while a run goes on', () => {
  it('shows the answer as it arrives', () => {
    const items = live(log('chain'));
    const first = items.findIndex(({ event }) => event.type === 'content');
    const [going] = fold(items.slice(0, first + 1)).turns;
    if (!going) throw new Error('no turn');
    expect(answer(going)).toMatch(/^Nifty 50 \(NIFTY\), IDX_I 13/);
    expect(isStreaming(going)).toBe(true);
    expect(turnState(going)).toBe('running');
  });

  it('shows a call as it arrives', () => {
    const items = live(log('chain'));
    const first = items.findIndex(({ event }) => event.type === 'call_delta');
    const [going] = fold(items.slice(0, first + 2)).turns;
    expect(going?.draft?.calls).toEqual([
      { index: 0, tool: 'search_instruments', arguments: '{"query":"NIFTY"}' },
    ]);
  });

  it('shows what waits for a decision, until it is made', () => {
    const items = live(log('allowed'));
    const decided = items.findIndex(({ event }) => event.type === 'decision_made');
    const before = fold(items.slice(0, decided)).turns[0];
    const after = fold(items.slice(0, decided + 1)).turns[0];
    if (!before || !after) throw new Error('no turn');
    expect(undecided(before).map((it) => callState(it))).toEqual(['waiting']);
    expect(undecided(after)).toEqual([]);
  });

  it('ignores what it does not know, and what is too late', () => {
    const items = live(log('chain'));
    const state = fold(items.slice(0, 8));
    const odd = { seq: 99, run: items[0]?.event.run, round: 1, at: 0, type: 'from_the_future' };
    const next = apply(state, { position: '50', event: odd as unknown as Event });
    expect(next.turns[0]?.rounds).toBe(state.turns[0]?.rounds);
    const late: Item = {
      position: '1.1',
      event: { ...(odd as Event), seq: 1, type: 'content', data: 'x' } as Event,
    };
    expect(apply(state, late)).toBe(state);
  });
});

describe('ten thousand pieces', () => {
  const head = kept(log('chain')).slice(0, 4);
  const run = head[0]?.event.run ?? '';

  /** Objects in `next` that are not in `state`, counting no further than those. */
  function made(state: unknown, next: unknown, seen = new Set<unknown>()): number {
    if (state === next || next === null || typeof next !== 'object' || seen.has(next)) return 0;
    seen.add(next);
    const old = (state ?? {}) as Record<string, unknown>;
    const below = Object.entries(next).map(([key, value]) => made(old[key], value, seen));
    return 1 + below.reduce((sum, it) => sum + it, 0);
  }

  it('cost the same, the last as much as the first', () => {
    let state: Conversation = fold(head);
    const costs = new Set<number>();
    for (let index = 1; index <= 10_000; index += 1) {
      const event: Event = { seq: 4, run, round: 1, at: index, type: 'content', data: 'word ' };
      const next = apply(state, { position: `4.${index}`, event });
      if (index > 1) costs.add(made(state, next));
      state = next;
    }
    // The conversation, its list of turns, the turn and its draft.
    expect([...costs]).toEqual([4]);
    expect(state.turns[0]?.draft?.content.length).toBe(5 * 10_000);
  });
});

it('takes what a project says for no question', () => {
  const events = log('two-turns');
  const at = events.findIndex((event) => event.type === 'message' && event.message.role === 'user');
  const found = events[at];
  if (found?.type !== 'message') throw new Error('the log has no question');
  const message = { role: 'user' as const, content: 'Use tabs.', origin: 'project' as const };
  const project: Event = { ...found, message };
  const state = fold([found, project].map((event) => ({ event })));
  expect(state.turns[0]?.question).toBe(found.message.content);
});

it('counts the tools there are, and not the one by which they are found', () => {
  const [first] = log('chain');
  if (!first) throw new Error('the log is empty');
  const said = (tools: string[], of: number) => {
    const event: Event = { ...first, seq: 1, type: 'tools_offered', tools, of } as Event;
    return fold([{ event: first }, { event }]).turns[0]?.notes.map((note) => note.text);
  };
  expect(said(['show', 'edit', 'find_tools'], 29)).toEqual(['2 of 28 tools offered']);
  expect(said(['show', 'edit'], 28)).toEqual(['2 of 28 tools offered']);
});

it('makes the same of events one by one and all at once', () => {
  for (const name of names) {
    const items = live(log(name));
    const one = items.reduce<Conversation>(apply, empty);
    expect(one, name).toEqual(fold(items));
  }
});

it('looks at the runs of a long conversation once, however many events are added', () => {
  const [first] = fold(kept(log('parallel'))).runs;
  if (!first) throw new Error('no run');
  let looked = 0;
  const runs = Array.from({ length: 500 }, (_, index) => ({
    ...first,
    run: `run_${index}`,
    get after() {
      looked += 1;
      return undefined;
    },
  }));
  const more = log('parallel').map((event) => ({ event }));
  const state = fold(more, { ...empty, runs, turns: runs });
  expect(state.turns.length).toBe(501);
  expect(more.length).toBeGreaterThan(10);
  expect(looked).toBeLessThan(3 * runs.length);
});
