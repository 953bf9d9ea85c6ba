/** How a moment that is looked back at is told. */

import type { Moment } from '../events/history';
import { language, t } from '../i18n/text.svelte';

/** `12:03:04.120`, where the reader is. */
export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString(language(), {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  });
}

export function asOfWords({ step, of, at }: Moment): string {
  const time = clockTime(at);
  return t('As of {time}, event {number} of {count}', { time, number: step + 1, count: of });
}
