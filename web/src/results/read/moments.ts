/** Days and times, in the zone that the data names rather than the reader's. */

import { language, t } from '../../i18n/text.svelte';

/** Where the market is. */
export const INDIA = 'Asia/Kolkata';

/** A time as a clock on the wall shows it. */
interface Wall {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly weekday: string;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY = 86_400_000;

/** `Fri 13 Nov 2026`. */
export function day(at: Date, zone: string): string {
  return dated(at, zone, true);
}

function dated(at: Date, zone: string, hasWeekday: boolean): string {
  const wall = onTheWall(at, zone);
  if (!wall) return '';
  const { weekday, day: date, month, year } = wall;
  if (language() === 'en') {
    return `${hasWeekday ? `${weekday} ` : ''}${date} ${MONTHS[month - 1]} ${year}`;
  }
  return new Intl.DateTimeFormat(language(), {
    timeZone: zone,
    weekday: hasWeekday ? 'short' : undefined,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(at);
}

/** `Fri 13 Nov 2026, 15:29 IST`. */
export function moment(at: Date, zone: string): string {
  const wall = onTheWall(at, zone);
  return wall ? `${day(at, zone)}, ${two(wall.hour)}:${two(wall.minute)} ${short(zone)}` : '';
}

/** `Fri 16 Oct 2026 to Fri 13 Nov 2026`; `Fri 13 Nov 2026, 09:15 to 15:15 IST`. */
export function between(from: Date, to: Date, zone: string, clock: 'day' | 'minute'): string {
  const [first, last] = [day(from, zone), day(to, zone)];
  if (clock === 'day')
    return first === last ? first : t('{from} to {to}', { from: first, to: last });
  const [start, end] = [moment(from, zone), moment(to, zone)];
  const begins = start.replace(` ${short(zone)}`, '');
  return t('{from} to {to}', {
    from: begins,
    to: first === last ? end.slice(last.length + 2) : end,
  });
}

/** `2026-11-13`, or `2026-11-13 15:29`: for the rows of a table. */
export function stamp(at: Date, zone: string, clock: 'day' | 'minute'): string {
  const wall = onTheWall(at, zone);
  if (!wall) return '';
  const date = `${wall.year}-${two(wall.month)}-${two(wall.day)}`;
  return clock === 'day' ? date : `${date} ${two(wall.hour)}:${two(wall.minute)}`;
}

/** `Tue 17 Nov 2026` of `2026-11-17`; what is no day is said as it is. */
export function calendarDay(date: string): string {
  const at = dayOf(date);
  return at ? day(at, 'UTC') : date;
}

function dayOf(date: string): Date | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(date) ? instant(`${date}T00:00:00Z`) : undefined;
}

/** `23 Nov 2026`: the same without the day of the week. */
export function shortDay(date: string): string {
  const at = dayOf(date);
  return at ? dated(at, 'UTC', false) : date;
}

/** `2 hours ago`, `yesterday`, `3 weeks ago`. */
export function ago(then: Date, now: Date): string {
  const passed = now.getTime() - then.getTime();
  const days = Math.floor(passed / DAY);
  const some = (amount: number, unit: Intl.RelativeTimeFormatUnit) =>
    new Intl.RelativeTimeFormat(language()).format(-amount, unit);
  // A clock may be a little behind; what is further in the future is told by its day.
  if (passed < -600_000) return day(then, Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (passed < 60_000) return t('just now');
  if (passed < 3_600_000) return some(Math.floor(passed / 60_000), 'minute');
  if (days < 1) return some(Math.floor(passed / 3_600_000), 'hour');
  if (days < 2) return t('yesterday');
  if (days < 7) return some(days, 'day');
  if (days < 30) return some(Math.floor(days / 7), 'week');
  return days < 730 ? some(Math.floor(days / 30), 'month') : some(Math.floor(days / 365), 'year');
}

/** The moment that a text names, if it does. */
export function instant(said: unknown): Date | undefined {
  if (typeof said !== 'string' || !/^\d{4}-\d\d-\d\d/.test(said)) return undefined;
  const at = new Date(said);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** The zone, if there is such a one, or India's: this is about its markets. */
export function zoneOf(said: unknown): string {
  return typeof said === 'string' && formatter(said) ? said : INDIA;
}

/** Seconds as if the clock on the wall were UTC: charts know no zones. */
export function wallSeconds(at: Date, zone: string): number {
  const wall = onTheWall(at, zone);
  if (!wall) return Math.floor(at.getTime() / 1000);
  const { year, month, day: date, hour, minute, second } = wall;
  return Date.UTC(year, month - 1, date, hour, minute, second) / 1000;
}

/** What people call the zone. */
export function short(zone: string): string {
  return zone === INDIA ? 'IST' : zone;
}

function onTheWall(at: Date, zone: string): Wall | undefined {
  const format = formatter(zone);
  if (!format || Number.isNaN(at.getTime())) return undefined;
  const parts = Object.fromEntries(format.formatToParts(at).map((it) => [it.type, it.value]));
  const part = (name: string) => Number(parts[name]);
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
    weekday: parts['weekday'] ?? '',
  };
}

/** Making one takes longer than using it, and a chart uses one thousands of times. */
const formatters = new Map<string, Intl.DateTimeFormat | undefined>();

function formatter(zone: string): Intl.DateTimeFormat | undefined {
  if (!formatters.has(zone)) formatters.set(zone, made(zone));
  return formatters.get(zone);
}

function made(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      weekday: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
}

function two(part: number): string {
  return part.toString().padStart(2, '0');
}
