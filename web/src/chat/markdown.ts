/**
 * `Markdown`: an answer as blocks of HTML. Text that arrives in pieces is only rendered where it
 * changed: at its end.
 *
 * What a model writes is not trusted. HTML in it is shown as text, links lead to web pages and mail
 * addresses only and say where, images are never loaded, and all of it passes DOMPurify.
 */

import DOMPurify from 'dompurify';
import { Marked, type Links, type Token, type Tokens } from 'marked';
import { t } from '../i18n/text.svelte';
import { escape } from './escape';
import type { Extras } from './extras.svelte';
import { footnotes, formulas, notesOf, type Formula } from './syntax';

export interface Block {
  key: number;
  html: string;
}

const harmless = (
  'target rel class start align type tabindex accent accentunder columnalign columnspan depth display ' +
  'displaystyle fence form height largeop linethickness lspace mathvariant maxsize minsize movablelimits ' +
  'rowspan rspace scriptlevel separator stretchy symmetric voffset width'
).split(' ');

const safe = {
  ALLOWED_TAGS: (
    'a b blockquote br button code del div em h1 h2 h3 h4 h5 h6 hr i li ol p pre s span strong ' +
    'sub sup table tbody td th thead tr ul ' +
    // Formulas: what draws, and nothing that holds HTML, links or runs.
    'math merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms ' +
    'mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover'
  ).split(' '),
  ALLOWED_ATTR: ['href', ...harmless],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  // Every other attribute would be held against the expression above.
  ADD_URI_SAFE_ATTR: harmless,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

/** The address, if a reader may be sent there. */
export function address(href: string): string | undefined {
  try {
    const url = new URL(href);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

function image({ href, text }: Tokens.Image): string {
  const what = text === '' ? t('Image') : t('Image: {text}', { text });
  return `<span class="image">${escape(what)} <span class="address">(${escape(href)})</span></span>`;
}

export class Markdown {
  private done: Block[] = [];
  /** How much of the text the finished blocks are. */
  private settled = '';
  /** Whether what is rendered is whole: what is not is neither coloured nor set. */
  private whole = true;
  /** The notes of the text; none are known while it grows. */
  private notes: ReadonlySet<string> | undefined;
  private extras: Extras = {};
  private readonly missed = new Set<keyof Extras>();
  private readonly marked: Marked;

  constructor(
    /** Tools whose names in the text lead to their calls. */
    private tools: ReadonlySet<string> = new Set(),
  ) {
    this.marked = new Marked({ gfm: true, breaks: true, async: false });
    const own = [
      ...formulas(
        (it) => this.formula(it),
        () => this.notes === undefined,
      ),
      ...footnotes({ mark, note }, (name) => this.notes?.has(name) ?? true),
    ];
    this.marked.use({ renderer: this.renderer(), extensions: own });
  }

  /** What would have been of use and is not there. */
  get wanted(): ReadonlySet<keyof Extras> {
    return this.missed;
  }

  /** What was loaded meanwhile. */
  equip(extras: Extras): void {
    if (extras === this.extras) return;
    this.extras = extras;
    this.missed.clear();
    this.restart();
  }

  /** The blocks of a text. `more` says whether it is still growing. */
  render(text: string, more: boolean): Block[] {
    if (!more || !text.startsWith(this.settled)) this.restart();
    this.notes = more ? undefined : notesOf(text);
    const tokens = this.marked.lexer(text.slice(this.settled.length));
    const last = tokens.findLastIndex((token) => token.type !== 'space');
    const blocks = more ? this.done : [...this.done];
    tokens.slice(0, last).forEach((token) => {
      if (more) this.settled += token.raw;
      if (token.type === 'space') return;
      blocks.push({ key: blocks.length, html: this.html(token, tokens.links) });
    });
    const tail = tokens[last];
    if (!tail) return [...blocks];
    this.whole = !more;
    const html = this.html(tail, tokens.links);
    this.whole = true;
    return [...blocks, { key: blocks.length, html }];
  }

  /** Other tools were called meanwhile. */
  mention(tools: ReadonlySet<string>): void {
    if (tools.size === this.tools.size && [...tools].every((tool) => this.tools.has(tool))) return;
    this.tools = tools;
    this.restart();
  }

  private restart(): void {
    this.done = [];
    this.settled = '';
  }

  private html(token: Token, links: Links): string {
    const list = Object.assign([token], { links });
    return DOMPurify.sanitize(this.marked.parser(list), safe);
  }

  private withMentions(text: string): string {
    return escape(text).replace(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/gi, (name) =>
      this.tools.has(name) ? mention(name) : name,
    );
  }

  private coloured(code: string, language: string): string {
    const { highlight } = this.extras;
    if (!this.whole || language === '') return escape(code);
    if (!highlight) this.missed.add('highlight');
    return highlight?.(code, language) ?? escape(code);
  }

  private formula({ raw, tex, display }: Formula): string {
    const { formula } = this.extras;
    if (!formula) this.missed.add('formula');
    const set = this.whole ? formula?.(tex, display) : undefined;
    if (set === undefined) return `<code class="tex">${escape(raw.trim())}</code>`;
    if (!display) return `<span class="formula">${set}</span>`;
    return `<span class="formula display" tabindex="0">${set}</span>`;
  }

  private renderer() {
    const self = this;
    return {
      html: ({ text }: Tokens.HTML | Tokens.Tag) =>
        /^<br\s*\/?>$/i.test(text.trim()) ? '<br>' : escape(text),
      code: ({ text, lang }: Tokens.Code) => {
        const language = (lang ?? '').trim().split(/\s+/)[0]?.toLowerCase() ?? '';
        const body = self.coloured(text, language);
        return (
          `<div class="code"><div class="code-head"><span>${escape(language || 'text')}</span>` +
          `<button type="button" class="copy">${escape(t('Copy'))}</button></div>` +
          `<pre tabindex="0"><code>${body}\n</code></pre></div>`
        );
      },
      codespan: ({ text }: Tokens.Codespan) =>
        self.tools.has(text) ? mention(text) : `<code>${escape(text)}</code>`,
      text(this: { parser: { parseInline(tokens: Token[]): string } }, token: Token) {
        if ('tokens' in token && token.tokens) return this.parser.parseInline(token.tokens);
        return self.withMentions('text' in token ? String(token.text) : token.raw);
      },
      image,
      link(this: { parser: { parseInline(tokens: Token[]): string } }, token: Tokens.Link) {
        const words = this.parser.parseInline(token.tokens);
        const to = address(token.href);
        const shown = ` <span class="address">(${escape(token.href)})</span>`;
        if (to === undefined) return words + shown;
        const plain = token.text === token.href || `mailto:${token.text}` === token.href;
        const attributes = `href="${escape(to)}" target="_blank" rel="noopener noreferrer"`;
        return `<a ${attributes}>${words}</a>${plain ? '' : shown}`;
      },
      checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '☑ ' : '☐ '),
    };
  }
}

function mention(tool: string): string {
  return `<button type="button" class="mention">${escape(tool)}</button>`;
}

function mark(name: string): string {
  return `<sup><button type="button" class="footnote-mark">${escape(name)}</button></sup>`;
}

function note(name: string, html: string): string {
  const back = `<button type="button" class="footnote-name">${escape(name)}</button>`;
  return `<div class="footnote">${back} <span>${html}</span></div>`;
}
