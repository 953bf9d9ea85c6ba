import { readFileSync, readdirSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { caveat, hasView, view, type Shown } from './view';

/** Results as the tools gave them. */
const FOLDER = new URL('../../tests/results/', import.meta.url);

function sample(name: string): Shown & { status: string } {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'));
}

/** The data of a sample, to be spoilt. */
function data(name: string): Record<string, never> {
  return structuredClone(sample(name).data) as Record<string, never>;
}

describe('what is shown', () => {
  const kinds: Record<string, string | undefined> = {
    'candles-15m': 'candles',
    'candles-daily': 'candles',
    chain: 'chain',
    channel: 'channel',
    'channel-none': 'message',
    edit: 'diff',
    expiries: 'expiries',
    file: 'source',
    'file-part': 'source',
    funds: 'funds',
    hits: 'hits',
    'hits-context': 'hits',
    'hits-none': undefined,
    holdings: 'holdings',
    instrument: 'instruments',
    instruments: 'instruments',
    note: 'notes',
    notes: 'notes',
    positions: 'positions',
    quotes: 'quotes',
    shell: 'shell',
    'shell-failed': 'shell',
    'shell-silent': 'shell',
    'shell-timeout': 'shell',
    statistics: 'statistics',
    tip: 'tip',
    tree: 'tree',
    video: 'videos',
    videos: 'videos',
    'videos-similar': 'videos',
    'videos-topic': 'videos',
    weather: 'weather',
    write: 'source',
  };

  it('is known of every sample', () => {
    const files = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
    expect(files.sort()).toEqual(Object.keys(kinds).sort());
  });

  it.each(Object.entries(kinds))('of %s is %s', (name, kind) => {
    const result = sample(name);
    expect(view(result)?.kind).toBe(kind);
    const { tool, args, data: given, text } = result;
    expect(hasView(tool, given, text, args)).toBe(kind !== undefined);
  });

  it("depends on the data and not on the tool's name", () => {
    expect(view({ ...sample('quotes'), tool: 'prices_of_somebody_else' })?.kind).toBe('quotes');
    expect(
      view({ tool: 'get_market_quote', data: { quotes: 'none' }, text: 'none' }),
    ).toBeUndefined();
    expect(view({ tool: 'fetch', text: sample('tree').text })).toBeUndefined();
  });

  it('is found in a text that is the data', () => {
    const { data: quotes } = sample('quotes');
    expect(view({ tool: 'x', text: JSON.stringify(quotes) })?.kind).toBe('quotes');
    expect(caveat(undefined, JSON.stringify(quotes))).toBe('Simulated data');
    expect(view({ tool: 'x', text: '{"quotes": [' })).toBeUndefined();
  });
});

describe('a caveat', () => {
  it('is made where the data says so', () => {
    expect(caveat(sample('quotes').data)).toBe('Simulated data');
    expect(caveat(sample('videos').data)).toBe('Sample history');
    expect(caveat({ ...data('quotes'), simulated: false })).toBeUndefined();
    expect(caveat({ simulated: 'true' })).toBeUndefined();
  });
});

describe('results of another shape', () => {
  /** Values that are not what is expected, wherever they stand. */
  const odd: unknown[] = [null, [], {}, [[]], [null], '', 'x', -1, 1e308, NaN, true, { length: 9 }];

  /** The value with each of its parts replaced in turn. */
  function* spoilt(value: unknown): Generator<unknown> {
    yield* odd;
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      const part = (value as Record<string, unknown>)[key];
      for (const other of spoilt(part)) {
        yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
      }
    }
  }

  const samples = readdirSync(FOLDER).map((file) => sample(file.replace('.json', '')));

  it.each(samples)('of $tool are never fatal', ({ tool, args, data: whole, text }) => {
    // The first rows stand for all of them.
    for (const part of spoilt(shortened(whole))) view({ tool, args, data: part, text: '' });
    for (const other of spoilt(args)) view({ tool, args: other, data: whole, text });
    for (let end = 0; end < (text ?? '').length; end += 1) {
      view({ tool, args, text: text?.slice(0, end) });
      view({ tool, args, text: text?.slice(end) });
    }
  });

  function shortened(value: unknown): unknown {
    if (Array.isArray(value))
      return value.slice(0, value.every(Number.isFinite) ? 6 : 2).map(shortened);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shortened(part)]));
  }
});
