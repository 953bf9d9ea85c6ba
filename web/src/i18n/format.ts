/** `number` and its like: figures, lists and moments as the reader's language writes them. */

import { language } from './text.svelte';

const kept = new Map<string, Intl.NumberFormat>();

/** Making a format costs more than a thousand uses of it. */
function numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language()} ${JSON.stringify(options)}`;
  let found = kept.get(key);
  if (!found) {
    found = new Intl.NumberFormat(language(), options);
    kept.set(key, found);
  }
  return found;
}

export function number(it: number, options: Intl.NumberFormatOptions = {}): string {
  return numbers(options).format(it);
}

/** With exactly so many digits behind the point. */
export function fixed(it: number, digits: number): string {
  return number(it, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** What requests cost: often less than a cent. */
export function money(it: number): string {
  return fixed(it, 4);
}
