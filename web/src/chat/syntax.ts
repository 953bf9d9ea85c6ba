/**
 * `formulas` and `footnotes`: what answers have beyond Markdown, for its reader (`marked`).
 *
 * A formula stands in `$…$` or `\(…\)`, one of its own in `$$…$$` or `\[…\]`. Prices are no formulas: a
 * `$` opens one only before something and closes one only behind something and not before a digit.
 */

import type { TokenizerAndRendererExtension, Tokens } from 'marked';

export interface Formula extends Tokens.Generic {
  type: 'formula' | 'formulas';
  tex: string;
  display: boolean;
}

const ofItsOwn = /^ {0,3}(?:\$\$([^]+?)\$\$|\\\[([^]+?)\\\])[ \t]*(?:\n|$)/;
const opened = /^ {0,3}(?:\$\$(?![^\n]*\$\$)|\\\[(?![^\n]*\\\]))[^]*$/;
const within =
  /^(?:\$\$([^$\n]+?)\$\$|\$(?![\s$])((?:\\[^\n]|[^$`\\\n])*?(?:\\[^\s]|[^\s$`\\]))\$(?![\d$])|\\\(([^\n]+?)\\\)|\\\[([^\n]+?)\\\])/;

/** Formulas. `growing` says whether one that is open may yet be closed. */
export function formulas(
  show: (formula: Formula) => string,
  growing: () => boolean,
): TokenizerAndRendererExtension[] {
  const renderer = (token: Tokens.Generic) => show(token as Formula);
  return [
    {
      name: 'formulas',
      level: 'block',
      start: (text) => text.match(/^ {0,3}(?:\$\$|\\\[)/m)?.index,
      tokenizer(text): Formula | undefined {
        const whole = ofItsOwn.exec(text);
        const match = whole ?? (growing() ? opened.exec(text) : null);
        if (!match) return undefined;
        const tex = whole ? (whole[1] ?? whole[2] ?? '') : match[0];
        return { type: 'formulas', raw: match[0], tex, display: whole !== null };
      },
      renderer,
    },
    {
      name: 'formula',
      level: 'inline',
      start: (text) => text.match(/\$|\\[([]/)?.index,
      tokenizer(text): Formula | undefined {
        const match = within.exec(text);
        if (!match) return undefined;
        const [raw, shown, inline, round, square] = match;
        const display = shown !== undefined || square !== undefined;
        return {
          type: 'formula',
          raw,
          tex: shown ?? inline ?? round ?? square ?? '',
          display,
        };
      },
      renderer,
    },
  ];
}

const definition = /^\[\^([^\]\s]{1,40})\]:[ \t]+([^\n]*(?:\n(?:[ ]{2,}|\t)[^\n]+)*)(?:\n+|$)/;

/** What the notes of a text are called. */
export function notesOf(text: string): Set<string> {
  const names = text.matchAll(/^\[\^([^\]\s]{1,40})\]:[ \t]/gm);
  return new Set([...names].map(([, name = '']) => name));
}

/** Footnotes: a mark leads to its note, and the note back to the mark. */
export function footnotes(
  show: { mark(name: string): string; note(name: string, html: string): string },
  isNote: (name: string) => boolean,
): TokenizerAndRendererExtension[] {
  return [
    {
      name: 'footnote',
      level: 'block',
      start: (text) => text.match(/^\[\^[^\]\s]+\]:/m)?.index,
      tokenizer(text) {
        const match = definition.exec(text);
        if (!match) return undefined;
        const [raw, name = '', said = ''] = match;
        return { type: 'footnote', raw, name, tokens: this.lexer.inlineTokens(said) };
      },
      renderer(token) {
        return show.note(String(token.name), this.parser.parseInline(token.tokens ?? []));
      },
    },
    {
      name: 'footnote_mark',
      level: 'inline',
      start: (text) => text.match(/\[\^/)?.index,
      tokenizer(text) {
        const match = /^\[\^([^\]\s]{1,40})\]/.exec(text);
        if (!match || !isNote(match[1] ?? '')) return undefined;
        return { type: 'footnote_mark', raw: match[0], name: match[1] };
      },
      renderer: (token) => show.mark(String(token.name)),
    },
  ];
}
