/**
 * `visible`: a text in which nothing hides, as the terminal shows it: characters that cannot be
 * seen, or that change the order of others, are named; control characters are shown as pictures.
 * The same table as `visible.rs` in the runtime's core; a test there holds the two together.
 */

const HIDDEN =
  /[\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{3164}\u{feff}\u{ffa0}\u{fff0}-\u{fffb}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]+/gu;

// Line breaks and tabs are seen by what they do.
// eslint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

export function visible(text: string): string {
  return text.replace(HIDDEN, named).replace(CONTROL, picture);
}

/** In one line: line breaks and tabs are shown, too. */
export function visibleLine(text: string): string {
  return visible(text).replace(/[\n\t\u2028\u2029]/g, picture);
}

function named(run: string): string {
  const all = [...run];
  const code = (all[0]?.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return all.length === 1 ? `⟦U+${code}⟧` : `⟦${all.length} invisible characters⟧`;
}

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  return code > 0xff ? '␊' : '�';
}

/** JSON with what hides in it written as escapes: it says the same. */
export function escaped(json: string): string {
  const units = (run: string) =>
    Array.from({ length: run.length }, (_, at) => run.charCodeAt(at).toString(16).padStart(4, '0'));
  return json.replace(HIDDEN, (run) =>
    units(run)
      .map((unit) => `\\u${unit}`)
      .join(''),
  );
}

/** A piece of a text: as it is, or a gap that is told instead of shown. */
export interface Piece {
  text: string;
  gap: boolean;
}

/** So much white space in a row is told, and not shown: behind it something could hide. */
const WIDE = /[^\S\n]{33,}|\n(?:[^\S\n]*\n){4,}/gu;

/** A text for somebody who decides about it: nothing in it is pushed out of sight. */
export function pieces(text: string): Piece[] {
  const all: Piece[] = [];
  const shown = visible(text);
  let from = 0;
  for (const { 0: white, index } of shown.matchAll(WIDE)) {
    all.push({ text: shown.slice(from, index), gap: false }, { text: told(white), gap: true });
    from = index + white.length;
  }
  all.push({ text: shown.slice(from), gap: false });
  return all.filter((piece) => piece.text !== '');
}

function told(white: string): string {
  const lines = white.split('\n').length - 1;
  return lines > 0 ? `⟦${lines - 1} empty lines⟧\n` : `⟦${white.length} spaces⟧`;
}
