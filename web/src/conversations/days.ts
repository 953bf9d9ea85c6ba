/** `byDay`: conversations under the day they were last used. */

import type { Summary } from '../api/client';
import { language, t } from '../i18n/text.svelte';

export interface Day {
  name: string;
  items: Summary[];
}

function startOfDay(moment: number): number {
  return new Date(moment).setHours(0, 0, 0, 0);
}

/** The name of the day of `moment`, seen from `now`. */
export function dayName(moment: number, now: number, locale = language()): string {
  // Summer time makes some days an hour shorter or longer.
  const ago = Math.round((startOfDay(now) - startOfDay(moment)) / 86_400_000);
  if (ago <= 0) return t('Today');
  if (ago === 1) return t('Yesterday');
  if (ago < 7) return new Intl.DateTimeFormat(locale, { weekday: 'long' }).format(moment);
  const sameYear = new Date(now).getFullYear() === new Date(moment).getFullYear();
  return new Intl.DateTimeFormat(locale, {
    month: 'long',
    year: sameYear ? undefined : 'numeric',
  }).format(moment);
}

/** Keeps the order: a day appears where its first conversation does. */
export function byDay(items: readonly Summary[], now: number, locale = language()): Day[] {
  const days = new Map<string, Day>();
  for (const item of items) {
    const name = dayName(item.updated_at, now, locale);
    const day = days.get(name);
    if (day) day.items.push(item);
    else days.set(name, { name, items: [item] });
  }
  return [...days.values()];
}
