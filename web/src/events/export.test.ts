import { describe, expect, it } from 'vitest';
import { log, names } from '../../tests/logs/read';
import { isEvent } from './check';
import { fileName, parse, write } from './export';
import { callsOf, valueAt } from './read';
import { fold } from './reducer';
import { timeline } from './timeline';
import { isProvisional, type Event } from './types';

function error(text: string): string {
  const parsed = parse(text);
  return parsed.ok ? 'none' : parsed.error;
}

describe('a file', () => {
  it.each(names)('holds %s', (name) => {
    const parsed = parse(write(log(name)));
    const events = log(name).filter((it) => !isProvisional(it));
    expect(parsed).toEqual({ ok: true, file: { title: undefined, events, attachments: [] } });
  });

  it('holds one run, where one is asked for', () => {
    const events = log('two-turns');
    const run = events.at(-1)?.run ?? '';
    const parsed = parse(write(events, run));
    if (!parsed.ok) throw new Error(parsed.error);
    expect(new Set(parsed.file.events.map((it) => it.run))).toEqual(new Set([run]));
  });

  it('has what is attached in its runs, and nothing else', () => {
    const digest = (letter: string) => letter.repeat(64);
    const of = (letter: string) => ({ digest: digest(letter), media_type: 'image/png', size: 1 });
    const events = log('two-turns').map((event) => {
      if (event.type !== 'message' || event.message.role !== 'user') return event;
      const letter = event.run === log('two-turns')[0]?.run ? 'a' : 'b';
      return { ...event, message: { ...event.message, attachments: [of(letter)] } };
    });
    const exported = ['a', 'b', 'c'].map((it) => ({ digest: digest(it), data: 'AA==' }));
    const carried = (text: string) => {
      const parsed = parse(text);
      return parsed.ok ? parsed.file.attachments.map((it) => it.digest[0]) : [];
    };
    expect(carried(write(events, undefined, exported))).toEqual(['a', 'b']);
    expect(carried(write(events, events.at(-1)?.run, exported))).toEqual(['b']);
    expect(fold(events.map((event) => ({ event }))).turns.map((it) => it.attachments)).toEqual([
      [of('a')],
      [of('b')],
    ]);
    const odd = JSON.stringify({ toolwright: 2, events, attachments: [null, 1, { digest: 2 }] });
    expect(carried(odd)).toEqual([]);
  });

  it('has a name that is safe', () => {
    expect(fileName('../../x y\u0000')).toBe('toolwright-xy.json');
    expect(fileName('')).toBe('toolwright-run.json');
  });
});

describe('a file that is none', () => {
  it.each([
    ['', 'The file is not JSON.'],
    ['null', 'This is not an exported run.'],
    ['[]', 'This is not an exported run.'],
    ['{"events":[]}', 'This is not an exported run.'],
    ['{"toolwright":2,"events":{}}', 'This is not an exported run.'],
    ['{"toolwright":1,"events":[]}', 'The file was written by another version of Toolwright.'],
    ['{"toolwright":2,"events":[]}', 'There is nothing in the file.'],
    ['{"toolwright":2,"events":[null]}', 'Event 1 of the file cannot be understood.'],
    ['{"toolwright":2,"events":[{"type":"done"}]}', 'Event 1 of the file cannot be understood.'],
  ])('%s', (text, said) => expect(error(text)).toBe(said));

  it('is nested too deep', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const event = `{"seq":0,"run":"r","round":0,"at":0,"type":"x","a":${deep}}`;
    expect(error(`{"toolwright":2,"events":[${event}]}`)).toMatch(/cannot be understood/);
  });
});

describe('a hostile file', () => {
  const odd: unknown[] = [
    null,
    0,
    -1,
    1e300,
    '',
    '__proto__',
    [],
    {},
    [null],
    [[]],
    true,
    '<img src=x>',
  ];

  /** Every event of every log with one field, at any depth, made something else. */
  function* twisted(event: Event): Generator<unknown> {
    for (const value of odd) {
      for (const path of paths(event)) {
        const copy = structuredClone(event) as unknown;
        let at = copy as Record<string, unknown>;
        for (const part of path.slice(0, -1)) at = at[part] as Record<string, unknown>;
        at[path.at(-1) ?? ''] = value;
        yield copy;
      }
    }
  }

  function paths(value: unknown, path: string[] = []): string[][] {
    if (value === null || typeof value !== 'object' || path.length > 3) return [];
    return Object.entries(value).flatMap(([key, it]) => [
      [...path, key],
      ...paths(it, [...path, key]),
    ]);
  }

  it('breaks neither the reducer nor the timeline', () => {
    const seen = new Set<string>();
    let folded = 0;
    for (const name of names) {
      const events = log(name);
      for (const [index, event] of events.entries()) {
        if (seen.has(event.type)) continue;
        seen.add(event.type);
        for (const other of twisted(event)) {
          if (!isEvent(other)) continue;
          const items = events.with(index, other).map((it) => ({ event: it }));
          for (const turn of fold(items).turns) {
            timeline(turn, 0);
            for (const call of callsOf(turn)) {
              for (const it of call.provenance) valueAt(call.arguments, it.argument);
            }
          }
          folded += 1;
        }
      }
    }
    expect(seen.size).toBe(31);
    expect(folded).toBeGreaterThan(1000);
  });

  it('has no call twice', () => {
    const events = log('parallel').map((event) =>
      event.type === 'tool_calls'
        ? { ...event, tool_calls: [...event.tool_calls, ...event.tool_calls] }
        : event,
    );
    const ids = fold(events.map((event) => ({ event })))
      .turns.flatMap(callsOf)
      .map((call) => call.id);
    expect(ids.length).toBe(2);
    expect(new Set(ids).size).toBe(2);
  });

  it('does not reach what every object has', () => {
    expect(valueAt({}, '/__proto__')).toBeUndefined();
    expect(valueAt([1], '/constructor/name')).toBeUndefined();
    expect(valueAt({ 'a/b': { '~': [7] } }, '/a~1b/~0/0')).toBe(7);
  });
});
