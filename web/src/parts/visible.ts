/**
 * `visible`: a text in which nothing hides, as the terminal shows it: characters that cannot be
 * seen, or that change the order of others, are named; control characters are shown as pictures.
 * `revealed`: the same for what somebody decides by. The same tables as `visible.rs` in the
 * runtime's core, which says what they are; tests there and here hold the two together.
 */

import { t } from '../i18n/text.svelte';

const HIDDEN =
  /[\u{ad}\u{34f}\u{61c}\u{115f}-\u{1160}\u{17b4}-\u{17b5}\u{180b}-\u{180f}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{2800}\u{3164}\u{fe00}-\u{fe0f}\u{feff}\u{ffa0}\u{fff0}-\u{fffb}\u{13430}-\u{1343f}\u{16fe4}\u{1bca0}-\u{1bca3}\u{1d159}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]+/gu;

const UNCLEAR =
  /[\u{a0}\u{ad}\u{34f}\u{61c}\u{115f}-\u{1160}\u{1680}\u{17b4}-\u{17b5}\u{180b}-\u{180f}\u{2000}-\u{200a}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{202f}\u{205f}\u{2060}-\u{206f}\u{2800}\u{3000}\u{3164}\u{e000}-\u{f8ff}\u{fdd0}-\u{fdef}\u{fe00}-\u{fe0f}\u{feff}\u{ffa0}\u{fff0}-\u{fffb}\u{fffe}-\u{ffff}\u{13430}-\u{1343f}\u{16fe4}\u{1bca0}-\u{1bca3}\u{1d159}\u{1d173}-\u{1d17a}\u{1fffe}-\u{1ffff}\u{2fffe}-\u{2ffff}\u{3fffe}-\u{3ffff}\u{4fffe}-\u{4ffff}\u{5fffe}-\u{5ffff}\u{6fffe}-\u{6ffff}\u{7fffe}-\u{7ffff}\u{8fffe}-\u{8ffff}\u{9fffe}-\u{9ffff}\u{afffe}-\u{affff}\u{bfffe}-\u{bffff}\u{cfffe}-\u{cffff}\u{dfffe}-\u{dffff}\u{e0000}-\u{e0fff}\u{efffe}-\u{effff}\u{f0000}-\u{fffff}\u{100000}-\u{10ffff}]+/gu;

// Line breaks and tabs are seen by what they do.
// eslint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

export function visible(text: string): string {
  return text
    .replace(HIDDEN, (run, at: number) => (isInItsPlace(text, run, at) ? run : named(run)))
    .replace(CONTROL, picture);
}

/** For what somebody decides by: every joiner is shown, and white space that is no blank. */
export function revealed(text: string): string {
  return text.replace(UNCLEAR, named).replace(CONTROL, picture);
}

/** In one line: line breaks and tabs are shown, too. */
export function visibleLine(text: string): string {
  return visible(text).replace(/[\n\t]/g, picture);
}

/** For a title of what somebody wrote in several lines: breaks and tabs are blanks. */
export function oneLine(text: string): string {
  return visibleLine(text.replace(/[ \t\r\n]+/g, ' ').trim());
}

/** As `revealed`, in one line. */
export function revealedLine(text: string): string {
  return revealed(text).replace(/[\n\t]/g, picture);
}

/** An emoji, or a sign that can be drawn as one. */
const PICTORIAL =
  /^[\u{a9}\u{ae}\u{203c}\u{2049}\u{2122}\u{2139}\u{2190}-\u{27ff}\u{2900}-\u{2bff}\u{3030}\u{303d}\u{3297}\u{3299}\u{1f000}-\u{1faff}]/u;

/** Of a script whose letters join, or change with their neighbours. */
const JOINED =
  /^[\u{600}-\u{109f}\u{1700}-\u{1aff}\u{1b00}-\u{1c7f}\u{1cd0}-\u{1cff}\u{a800}-\u{abff}\u{fb50}-\u{fdcf}\u{fdf0}-\u{fdff}\u{fe70}-\u{fefc}\u{10a00}-\u{10fff}\u{11000}-\u{11fff}\u{1e900}-\u{1e95f}]/u;

/** Whether a run of hidden characters is what people write there: `❤️‍🔥`, `1️⃣`, `می‌خواهم`. */
function isInItsPlace(text: string, run: string, at: number): boolean {
  const before = /.$/su.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? '';
  const behind = text.slice(at + run.length, at + run.length + 2);
  const joiner = run.replace(/^[\ufe0e\ufe0f]/, '');
  if (joiner === '') {
    return PICTORIAL.test(before) || (/^[0-9#*]$/.test(before) && behind.startsWith('\u20e3'));
  }
  if (joiner === '\u200d' && PICTORIAL.test(before)) return PICTORIAL.test(behind);
  return (joiner === '\u200c' || joiner === '\u200d') && run.length === 1 && JOINED.test(before);
}

function named(run: string): string {
  const all = [...run];
  const code = (all[0]?.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return all.length === 1
    ? `⟦U+${code}⟧`
    : `⟦${t('{count} invisible characters', { count: all.length })}⟧`;
}

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  return '�';
}

/** JSON with what hides in it written as escapes: it says the same. */
export function escaped(json: string): string {
  const units = (run: string) =>
    Array.from({ length: run.length }, (_, at) => run.charCodeAt(at).toString(16).padStart(4, '0'));
  return json.replace(UNCLEAR, (run) =>
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
  const shown = revealed(text);
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
  return lines > 0
    ? `⟦${t('{count} empty lines', { count: lines - 1 })}⟧\n`
    : `⟦${t('{count} spaces', { count: white.length })}⟧`;
}
