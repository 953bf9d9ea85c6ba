import { readFileSync, readdirSync } from 'node:fs';

import { render } from 'svelte/server';
import { describe, expect, it } from 'vitest';

import Diff from './Diff.svelte';
import Result from './Result.svelte';

const FOLDER = new URL('../../tests/results/', import.meta.url);

interface Sample {
  tool: string;
  args: unknown;
  data: unknown;
  text: string;
  status: string;
}

const samples = readdirSync(FOLDER).map((file): Sample => {
  const { tool, args, data, text, status } = JSON.parse(
    readFileSync(new URL(file, FOLDER), 'utf8'),
  );
  return { tool, args, data, text, status };
});

/** What is put before every text of a sample. */
const HOSTILE = '<img src=x onerror="alert(1)">';

/** The value with every text in it made hostile. */
function hostile<T>(value: T): T {
  if (typeof value === 'string') return `${HOSTILE}${value}` as T;
  if (Array.isArray(value)) return value.map(hostile) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, hostile(part)])) as T;
}

function html(props: Sample & { compact?: boolean }): string {
  return render(Result, { props }).body;
}

describe.each(samples)('a result of $tool', (sample) => {
  it('is shown, also in little room', () => {
    expect(html(sample).length).toBeGreaterThan(60);
    expect(html({ ...sample, compact: true }).length).toBeGreaterThan(60);
  });

  it('says when it was made up', () => {
    const data = sample.data as Record<string, unknown> | undefined;
    const shown = html(sample);
    expect(shown.includes('Simulated data')).toBe(data?.['simulated'] === true);
    expect(shown.includes('Sample history')).toBe(data?.['sample'] === true);
  });

  it('puts no elements into the page', () => {
    const changed = { ...sample, args: hostile(sample.args), data: hostile(sample.data) };
    // A text is read by its lines: what is hostile stands inside of each.
    const text = sample.text.replaceAll(/\b(?=words|Paris|milk|quick|hello|oops|main)/g, HOSTILE);
    const shown = html({ ...changed, text });
    expect(shown).not.toContain('<img');
    expect(html({ ...sample, tool: HOSTILE, text: HOSTILE, status: HOSTILE })).not.toContain(
      '<img',
    );
  });
});

it('a table for who cannot see a chart is one click away', () => {
  const candles = samples.find(({ tool }) => tool === 'get_daily_ohlcv');
  if (!candles) throw new Error('no candles');
  const shown = html(candles);
  expect(shown).toMatch(
    /role="img" aria-label="Nifty 50: 19 candles \(1d\), Fri 16 Oct 2026 to Fri 13 Nov 2026\./,
  );
  expect(shown).toMatch(/<button[^>]*aria-pressed="false"[^>]*>\s*Table/);
  expect(shown).toContain('https://www.tradingview.com/');
});

it('what is no diff is shown as it is', () => {
  const shown = render(Diff, { props: { text: '<b>no</b> diff' } }).body;
  expect(shown).toContain('&lt;b>no&lt;/b> diff');
});
