/** `number` and its like: figures as the reader's language writes them. */

import { numbers } from './numbers';
import { language } from './text.svelte';

export function number(it: number, options?: Intl.NumberFormatOptions): string {
  return numbers(language(), options).format(it);
}

/** With exactly so many digits behind the point. */
export function fixed(it: number, digits: number): string {
  return number(it, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** What requests cost: often less than a cent. */
export function money(it: number): string {
  return fixed(it, 4);
}
