import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { kept, log } from '../../tests/logs/read';
import { fold } from '../events/reducer';
import type { Event } from '../events/types';
import { picture } from './picture';

const turn = (events: readonly Event[]) => {
  const found = fold(kept(events)).turns.at(-1);
  if (!found) throw new Error('there is no turn');
  return found;
};

/** A run whose only result is this sample. */
function resulting(sample: string): Event[] {
  const file = new URL(`../../tests/results/${sample}.json`, import.meta.url);
  const { data } = JSON.parse(readFileSync(file, 'utf8')) as { data: never };
  return log('parallel').map((event) =>
    event.type === 'call_finished' && event.tool === 'get_weather'
      ? { ...event, message: { ...event.message, content: 'See there.', data } }
      : event,
  );
}

it('shows what words say badly', () => {
  expect(picture(turn(resulting('candles-daily')))?.tool).toBe('get_weather');
  expect(picture(turn(resulting('chain')))?.tool).toBe('get_weather');
});

it('leaves to words what words can say', () => {
  expect(picture(turn(log('parallel')))).toBeUndefined();
});

it('waits for the answer', () => {
  const events = resulting('candles-daily').filter((event) => event.type !== 'done');
  expect(picture(turn(events))).toBeUndefined();
});
