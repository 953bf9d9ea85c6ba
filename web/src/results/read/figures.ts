/** Figures in words: prices with lakh and crore, changes, and lengths of time. */

import { fixed, number } from '../../i18n/format';
import { language, t } from '../../i18n/text.svelte';

const LAKH = 1e5;
const CRORE = 1e7;

/** `1,23,456.78`. */
export function decimal(amount: number, places = 2): string {
  const digits = Math.abs(amount).toFixed(places);
  const [whole = '0', part] = digits.split('.');
  const sign = amount < 0 && /[1-9]/.test(digits) ? '-' : '';
  // Only in English people know the groups of lakh and crore.
  if (language() !== 'en') return `${sign}${fixed(Math.abs(amount), places)}`;
  return `${sign}${grouped(whole)}${part === undefined ? '' : `.${part}`}`;
}

/** `₹1,23,456.78`, and `-₹5.00` for what is owed. */
export function rupees(amount: number): string {
  const said = decimal(amount);
  return said.startsWith('-')
    ? t('-₹{amount}', { amount: said.slice(1) })
    : t('₹{amount}', { amount: said });
}

/** `12,345`, `3.40 lakh`, `1.25 crore`. */
export function count(amount: number): string {
  if (Math.abs(amount) >= CRORE) return t('{count} crore', { count: decimal(amount / CRORE) });
  if (Math.abs(amount) >= LAKH) return t('{count} lakh', { count: decimal(amount / LAKH) });
  return decimal(amount, 0);
}

/** `12,345`, `3.4 L`, `1.2 Cr`: as `count`, for narrow columns. */
export function brief(amount: number): string {
  if (Math.abs(amount) >= CRORE) return t('{count} Cr', { count: decimal(amount / CRORE, 1) });
  if (Math.abs(amount) >= LAKH) return t('{count} L', { count: decimal(amount / LAKH, 1) });
  return decimal(amount, 0);
}

/** `5.0%`, without a sign. */
export function percent(share: number, places = 2): string {
  return t('{count}%', { count: decimal(Math.abs(share), places) });
}

/** Which way a figure went. */
export type Direction = 'up' | 'down' | 'same';

/** Which way it went, as far as two places show it. */
export function direction(by: number): Direction {
  const shown = Math.round(by * 100);
  if (shown > 0) return 'up';
  return shown < 0 ? 'down' : 'same';
}

/** `+13.10`, `-45.50`, `0.00`. */
export function signed(amount: number, say: (amount: number) => string = decimal): string {
  return direction(amount) === 'up' ? `+${say(amount)}` : say(amount);
}

/** `15:30`, `1:02:03`: how long a video is. */
export function length(seconds: number): string {
  const all = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (part: number) => part.toString().padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** `21 min`, `3.3 h`, `53 h`. */
export function span(seconds: number): string {
  if (seconds < 60) return t('{count} s', { count: Math.round(seconds) });
  if (seconds < 3570) return t('{count} min', { count: Math.round(seconds / 60) });
  const hours = seconds / 3600;
  return t('{count} h', { count: hours < 9.95 ? fixed(hours, 1) : whole(hours) });
}

/** `1,234,567`: where nobody counts in lakh. */
export function whole(amount: number): string {
  return number(Math.round(amount));
}

/** How much of `whole` a part is, from 0 to 1. */
export function share(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
}

/** Digits in groups: the last three, and the others in twos. */
function grouped(digits: string): string {
  const tail = digits.slice(-3);
  const head = digits.slice(0, -3);
  return head === '' ? tail : `${head.replace(/\B(?=(\d\d)+$)/g, ',')},${tail}`;
}
