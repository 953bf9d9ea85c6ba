import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { kept, log } from '../../tests/logs/read';
import type { Call, Turn } from '../events/model';
import { fold } from '../events/reducer';
import { shownResults } from './shown';

const [base] = fold(kept(log('parallel'))).turns;
if (!base) throw new Error('there is no turn');
const [made] = base.rounds[0]?.calls ?? [];
if (!made) throw new Error('there is no call');

/** A call that ended as this sample did. */
function call(sample: string, id: string): Call {
  const file = new URL(`../../tests/results/${sample}.json`, import.meta.url);
  const { tool, args, data, text, status } = JSON.parse(readFileSync(file, 'utf8'));
  return {
    ...made!,
    id,
    tool,
    arguments: args,
    result: { ...made!.result!, status, data, text: text ?? '' },
  };
}

/** A run that made these calls. */
function turn(samples: readonly string[], more: Partial<Turn> = {}): Turn {
  const [first] = base!.rounds;
  const calls = samples.map((sample, at) => call(sample, `${sample}-${at}`));
  return { ...base!, rounds: [{ ...first!, calls }], ...more };
}

function told(it: Turn): string[] {
  return [...shownResults(it)].map(([id, { open }]) => (open ? `${id} open` : id));
}

it.each(['edit', 'candles-daily', 'chain', 'positions', 'holdings', 'statistics', 'videos'])(
  'opens what words say badly: %s',
  (sample) => expect(told(turn([sample]))).toEqual([`${sample}-0 open`]),
);

it('opens what a command printed, also before it failed', () => {
  expect(told(turn(['shell']))).toEqual(['shell-0 open']);
  expect(told(turn(['shell-failed']))).toEqual(['shell-failed-0 open']);
});

it.each(['instruments', 'file', 'hits', 'tree'])('has a line for what led there: %s', (sample) =>
  expect(told(turn([sample]))).toEqual([`${sample}-0`]),
);

it.each(['weather', 'tip', 'note', 'notes', 'funds', 'expiries'])(
  'leaves to words what words can say: %s',
  (sample) => expect(told(turn([sample]))).toEqual([]),
);

it('opens few, the most telling first, in the order in which they happened', () => {
  const all = turn(['shell', 'edit', 'candles-daily', 'shell', 'file']);
  expect(told(all)).toEqual([
    'shell-0',
    'edit-1 open',
    'candles-daily-2 open',
    'shell-3',
    'file-4',
  ]);
});

it('has a few lines for very many', () => {
  const all = told(turn([...Array<string>(30).fill('shell'), 'edit']));
  expect(all).toHaveLength(8);
  expect(all.filter((it) => it.endsWith('open'))).toEqual(['shell-29 open', 'edit-30 open']);
});

it('has no line for one of many that led there', () => {
  expect(told(turn([...Array<string>(4).fill('file'), 'hits']))).toEqual(['hits-4']);
});

it('opens nothing while the run goes on', () => {
  expect(told(turn(['edit'], { endedAt: undefined }))).toEqual(['edit-0']);
});
