/**
 * Logs of real runs, for tests: what `toolwright ask --json` and the server wrote, with long
 * instructions cut. `interrupted` was put together from `cancelled`, `replaced` from `enforced`,
 * `steered` from `two-turns`;
 * `model-fallback` is of an agent with two scripted models, `question` of `examples/booking.rs`;
 * `nested` asks two others.
 */

import { isProvisional, type Event, type Item } from '../../src/events/types';

const files = import.meta.glob<string>('./*.jsonl', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The names of all logs. */
export const names = Object.keys(files).map((path) => path.slice('./'.length, -'.jsonl'.length));

/** The events of a log, pieces too, as they were seen. */
export function log(name: string): Event[] {
  const lines = (files[`./${name}.jsonl`] ?? '').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Event);
}

/** The events as the server streams them: each with its position. */
export function live(events: readonly Event[]): Item[] {
  let position = 0;
  let piece = 0;
  return events.map((event) => {
    if (isProvisional(event)) {
      piece += 1;
      return { position: `${position}.${piece}`, event };
    }
    const item = { position: String(position), event };
    position += 1;
    piece = 0;
    return item;
  });
}

/** The events as a reload gives them: those that were kept. */
export function kept(events: readonly Event[]): Item[] {
  return live(events).filter(({ event }) => !isProvisional(event));
}
