/** `sentences`: what of a growing text can be read aloud by now. */

/**
 * The whole sentences between `from` and the end of the text, and where they end. The rest waits
 * for its full stop.
 */
export function sentences(text: string, from: number): { said: string; to: number } {
  let to = from;
  for (const match of text.slice(from).matchAll(/[.!?:](?=\s)|\n+/g)) {
    to = from + match.index + match[0].length;
  }
  return { said: plain(text.slice(from, to)), to };
}

/** Without the marks that nobody wants to hear. */
export function plain(text: string): string {
  return text
    .replace(/```[^\n]*\n?/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(^|\n)\s{0,3}(#{1,6}|[-*+>]|\d+\.)\s+/g, '$1')
    .replace(/[*_`|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
