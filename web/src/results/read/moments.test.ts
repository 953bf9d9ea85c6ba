import { expect, it } from 'vitest';

import {
  INDIA,
  ago,
  between,
  calendarDay,
  day,
  instant,
  moment,
  shortDay,
  stamp,
  wallSeconds,
  zoneOf,
} from './moments';

const close = new Date('2026-11-13T15:29:59+05:30');
const open = new Date('2026-11-13T09:15:00+05:30');

it("times are India's, wherever the reader is", () => {
  expect(day(close, INDIA)).toBe('Fri 13 Nov 2026');
  expect(moment(close, INDIA)).toBe('Fri 13 Nov 2026, 15:29 IST');
  expect(stamp(new Date('2026-11-13T00:05:00+05:30'), INDIA, 'minute')).toBe('2026-11-13 00:05');
  expect(stamp(new Date('2026-11-12T18:30:00Z'), INDIA, 'day')).toBe('2026-11-13');
  expect(wallSeconds(open, INDIA)).toBe(Date.UTC(2026, 10, 13, 9, 15) / 1000);
});

it('a period says its day once', () => {
  expect(between(open, close, INDIA, 'minute')).toBe('Fri 13 Nov 2026, 09:15 to 15:29 IST');
  expect(between(open, close, INDIA, 'day')).toBe('Fri 13 Nov 2026');
  const before = new Date(open.getTime() - 86_400_000);
  expect(between(before, close, INDIA, 'minute')).toBe(
    'Thu 12 Nov 2026, 09:15 to Fri 13 Nov 2026, 15:29 IST',
  );
  expect(between(before, close, INDIA, 'day')).toBe('Thu 12 Nov 2026 to Fri 13 Nov 2026');
});

it("a zone that there is not is India's", () => {
  expect(zoneOf('Europe/Berlin')).toBe('Europe/Berlin');
  for (const other of ['No/Where', '', 5, null, {}]) expect(zoneOf(other)).toBe(INDIA);
});

it('a day of the calendar has no zone', () => {
  expect(calendarDay('2026-11-17')).toBe('Tue 17 Nov 2026');
  expect(shortDay('2026-11-17')).toBe('17 Nov 2026');
  for (const other of ['2026-13-45', 'soon', '']) expect(calendarDay(other)).toBe(other);
});

it('what is in the future is told by its day', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  expect(ago(new Date('2031-07-01T12:00:00Z'), now)).toBe('Tue 1 Jul 2031');
});

it('every form of ago', () => {
  const [minute, hour, date] = [60, 3_600, 86_400];
  const now = new Date('2026-11-15T12:00:00Z');
  const said = (seconds: number) => ago(new Date(now.getTime() - seconds * 1000), now);
  expect(
    [
      -9,
      59,
      minute,
      hour - 1,
      hour,
      date - 1,
      date,
      2 * date,
      7 * date,
      29 * date,
      30 * date,
      729 * date,
      730 * date,
    ].map(said),
  ).toEqual([
    'just now',
    'just now',
    '1 minute ago',
    '59 minutes ago',
    '1 hour ago',
    '23 hours ago',
    'yesterday',
    '2 days ago',
    '1 week ago',
    '4 weeks ago',
    '1 month ago',
    '24 months ago',
    '2 years ago',
  ]);
});

it('what is no moment is none', () => {
  expect(instant('2026-11-13T15:29:59+05:30')).toEqual(close);
  for (const other of ['2026-99-99', 'now', 5, null, undefined, {}])
    expect(instant(other)).toBeUndefined();
});
