/** Words of the runtime, made ready to be shown. */

import { visible } from './visible';

/** They begin small and have no stop, as they are often part of a line. */
export function sentence(words: string): string {
  const begun = words.charAt(0).toUpperCase() + words.slice(1);
  return begun === '' || /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** The text in pieces; every second one was between backticks. */
export function pieces(text: string): string[] {
  const all = visible(text).split('`');
  // A backtick without its second half is only a sign.
  return all.length % 2 === 1 ? all : [text];
}
