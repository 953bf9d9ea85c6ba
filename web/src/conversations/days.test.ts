import { expect, it } from 'vitest';
import { byDay, dayName } from './days';

const now = new Date(2026, 10, 15, 14, 0).getTime();
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).getTime();

it('names days as people do', () => {
  expect(dayName(at(2026, 10, 15, 0, 0), now, 'en')).toBe('Today');
  expect(dayName(at(2026, 10, 14, 23, 59), now, 'en')).toBe('Yesterday');
  expect(dayName(at(2026, 10, 10, 12, 0), now, 'en')).toBe('Tuesday');
  expect(dayName(at(2026, 10, 8, 12, 0), now, 'en')).toBe('November');
  expect(dayName(at(2025, 10, 8, 12, 0), now, 'en')).toBe('November 2025');
  // A clock that runs ahead elsewhere.
  expect(dayName(now + 86_400_000, now, 'en')).toBe('Today');
});

it('groups without changing the order', () => {
  const summary = (id: string, updated_at: number) => ({
    id,
    updated_at,
    title: id,
    created_at: 0,
    runs: 1,
    messages: 1,
    state: 'idle' as const,
  });
  const days = byDay(
    [summary('a', now), summary('b', now - 1), summary('c', now - 86_400_000)],
    now,
    'en',
  );
  expect(days.map((day) => [day.name, day.items.map((item) => item.id)])).toEqual([
    ['Today', ['a', 'b']],
    ['Yesterday', ['c']],
  ]);
});
