// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { formula } from './formula';
import { highlight } from './highlight';
import { address, Markdown } from './markdown';

const extras = { highlight, formula };

function html(text: string, tools: string[] = []): string {
  const markdown = new Markdown(new Set(tools));
  markdown.equip(extras);
  return markdown
    .render(text, false)
    .map((block) => block.html)
    .join('');
}

function dom(text: string): HTMLElement {
  const root = document.createElement('div');
  root.innerHTML = html(text);
  return root;
}

const long = [
  '# Prices',
  'A paragraph with **bold** and `code`.',
  '- one\n- two\n\n  still two',
  '```rust\nfn main() {\n\n}\n```',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '> said\n> twice',
  'Title\n-----',
  '$$\n\\frac{a}{b}\n\n+ c\n$$',
  'Said before.[^1]',
  '[^1]: By nobody,\n  as far as is known.',
  'The end.',
].join('\n\n');

describe('Markdown', () => {
  it('makes the same of pieces as of the whole', () => {
    for (const size of [1, 3, 17]) {
      const growing = new Markdown();
      for (let end = size; end < long.length; end += size) growing.render(long.slice(0, end), true);
      const pieces = growing.render(long, false).map((block) => block.html);
      expect(pieces).toEqual(new Markdown().render(long, false).map((block) => block.html));
    }
  });

  it('leaves finished blocks alone while text arrives', () => {
    const growing = new Markdown();
    const first = growing.render('One.\n\nTwo.\n\nThr', true);
    const second = growing.render('One.\n\nTwo.\n\nThree.\n\nFour', true);
    expect(second[0]).toBe(first[0]);
    expect(second.map((block) => block.key)).toEqual([0, 1, 2, 3]);
  });

  it('starts anew when the text became another', () => {
    const growing = new Markdown();
    growing.render('One.\n\nTwo.\n\nThree', true);
    expect(growing.render('Other', true).map((block) => block.html)).toEqual(['<p>Other</p>\n']);
  });

  it('colours code once it is whole', () => {
    const growing = new Markdown();
    const open = growing.render('```rust\nfn main() {}', true).map((block) => block.html);
    expect(open.join('')).not.toContain('hljs-');
    expect(html('```rust\nfn main() {}\n```')).toContain('hljs-keyword');
  });

  it('says what it needs, and goes on without', () => {
    const markdown = new Markdown();
    const text = '```rust\nfn main() {}\n```\n\n$x^2$';
    const without = markdown.render(text, false).map((block) => block.html);
    expect(without.join('')).toContain('$x^2$');
    expect([...markdown.wanted]).toEqual(['highlight', 'formula']);
    markdown.equip(extras);
    const equipped = markdown.render(text, false).map((block) => block.html);
    expect(equipped.join('')).toContain('<msup>');
    expect(equipped.join('')).toContain('hljs-keyword');
    expect(markdown.wanted.size).toBe(0);
    const plain = new Markdown();
    plain.render('Only **words**, and `code`.\n\n```\nx\n```', false);
    expect(plain.wanted.size).toBe(0);
  });

  it('shows HTML as text', () => {
    const root = dom(
      '<script>alert(1)</script>\n\nHi <img src=x onerror=alert(1)> <b onclick="x()">b</b>\n\n' +
        '<iframe src="https://example.org"></iframe>\n\n<style>*{display:none}</style>',
    );
    expect(root.querySelector('script, img, iframe, style, b')).toBeNull();
    expect(root.textContent).toContain('<script>alert(1)</script>');
    expect(root.textContent).toContain('onerror=alert(1)');
  });

  it('never loads images', () => {
    const root = dom(
      '![chart](https://example.org/x.png) ![][r]\n\n[r]: https://example.org/y.png',
    );
    expect(root.querySelector('img')).toBeNull();
    expect(root.textContent).toContain('Image: chart (https://example.org/x.png)');
  });

  it('follows links to web and mail only, and shows where they lead', () => {
    const root = dom(
      '[a](https://example.org/x) [b](javascript:alert(1)) [c](data:text/html,x) ' +
        '[d](//example.org) [e](JaVaScRiPt&colon;alert(1)) [f](mailto:a@example.org) https://example.com',
    );
    const links = [...root.querySelectorAll('a')];
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      'https://example.org/x',
      'mailto:a@example.org',
      'https://example.com/',
    ]);
    for (const link of links) expect(link.rel).toBe('noopener noreferrer');
    expect(root.textContent).toContain('a (https://example.org/x)');
    expect(root.textContent).toContain('(javascript:alert(1))');
  });

  it('keeps attributes from breaking out', () => {
    const root = dom('[x](https://example.org/"onmouseover="alert(1)) ```"><script>``` `<b>`');
    for (const element of root.querySelectorAll('*')) {
      for (const name of element.getAttributeNames()) expect(name).not.toMatch(/^on|^style$/);
    }
    expect(root.querySelector('script, b')).toBeNull();
  });

  it('makes the names of called tools lead to their calls', () => {
    const text = 'I used get_quote and `get_quote`, not get_chain.';
    expect(html(text, ['get_quote']).match(/class="mention"/g)).toHaveLength(2);
    expect(html(text, ['get_quote'])).toContain('not get_chain');
  });

  it('settles what is finished in a long text', () => {
    const growing = new Markdown();
    const text = Array.from({ length: 500 }, (_, i) => `Paragraph ${i}.`).join('\n\n');
    let blocks = growing.render('', true);
    for (let end = 0; end < text.length; end += 50) {
      const next = growing.render(text.slice(0, end), true);
      const kept = blocks.slice(0, -1).filter((block, i) => next[i] === block).length;
      expect(kept).toBe(Math.max(blocks.length - 1, 0));
      blocks = next;
    }
  });
});

describe('formulas', () => {
  it('has no styles, which the page would complain of', () => {
    expect(formula('\\int_0^1 x^2 dx = \\frac{1}{3}', true)).not.toContain('style=');
    expect(formula('\\text{a style="x" b}', true)).toContain('style=&quot;x&quot;');
  });

  it('are set in every form they are written in', () => {
    for (const text of ['$x^2$', '\\(x^2\\)', 'is $$x^2$$ here', 'is \\[x^2\\] here']) {
      expect(dom(text).querySelectorAll('math msup'), text).toHaveLength(1);
    }
    for (const text of ['$$\nx^2\n$$', '\\[\nx^2\n\\]', '- a\n\n  $$\n  x^2\n  $$']) {
      expect(dom(text).querySelectorAll('.formula.display math msup'), text).toHaveLength(1);
    }
    expect(dom('$\\$5 + x$').querySelector('math')).not.toBeNull();
  });

  it('are no prices, and no code', () => {
    for (const text of [
      'It costs $5 or $10.',
      'From $45.60-$50',
      'US$5 and US$6',
      '`$x^2$`',
      '```\n$x$\n```',
      'a $ b $ c',
      '$x',
      '$$\nnever closed',
    ]) {
      const root = dom(text);
      expect(root.querySelector('math, .tex'), text).toBeNull();
    }
  });

  it('are shown as written where they are none', () => {
    expect(dom('$\\nonsense{x}$').querySelector('.tex')?.textContent).toBe('$\\nonsense{x}$');
    expect(dom(`$${'x'.repeat(5_000)}$`).querySelector('math')).toBeNull();
    expect(dom(`$${'{'.repeat(1_900)}${'}'.repeat(1_900)}$`).querySelector('math')).toBeNull();
    const bomb = String.raw`\def\a{xxxxxxxxxx}\def\b{\a\a\a\a\a\a\a\a}\def\c{\b\b\b\b\b\b\b\b}\c\c\c\c\c\c\c\c`;
    expect(dom(`$${bomb}$`).querySelector('math')).toBeNull();
  });

  it('bring in nothing but what draws them', () => {
    const hostile = [
      String.raw`\href{javascript:alert(1)}{x}`,
      String.raw`\url{https://example.org}`,
      String.raw`\includegraphics{https://example.org/x.png}`,
      String.raw`\class{evil}{x}`,
      String.raw`\id{app}{x}`,
      String.raw`\style{position:fixed}{x}`,
      String.raw`\data{x=y}{x}`,
      String.raw`\text{<img src=x onerror=alert(1)><style>*{}</style>}`,
      String.raw`\color{red}x \colorbox{red}{x} \rule{900em}{900em} \kern{-99em} x`,
      String.raw`\begin{matrix}1&2\\3&4\end{matrix} \cancel{x} \phantom{y} \tag{1}`,
    ];
    for (const tex of hostile) {
      const root = dom(`$${tex}$\n\n$$\n${tex}\n$$`);
      expect(root.querySelector('a, img, style, script, svg, annotation-xml, mglyph')).toBeNull();
      for (const element of root.querySelectorAll('*')) {
        for (const name of element.getAttributeNames()) {
          expect(name, tex).not.toMatch(
            /^(?:on.*|style|href|src|id|data-.*|math(?:color|background))$/,
          );
        }
      }
    }
  });

  it('wait until they are closed', () => {
    const growing = new Markdown();
    growing.equip(extras);
    const open = growing.render('First.\n\n$$\na\n\n+ b', true);
    expect(open).toHaveLength(2);
    const closed = growing.render('First.\n\n$$\na\n\n+ b\n$$\n\nLast.', true);
    expect(closed[0]).toBe(open[0]);
    expect(closed[1]?.html).toContain('<math');
  });
});

describe('footnotes', () => {
  it('have marks that lead to them', () => {
    const root = dom('So it is.[^a] And so.[^2]\n\n[^a]: https://example.org\n[^2]: *Two*.');
    const texts = (name: string) =>
      [...root.querySelectorAll(`.${name}`)].map((it) => it.textContent);
    expect(texts('footnote-mark')).toEqual(['a', '2']);
    expect(texts('footnote-name')).toEqual(['a', '2']);
    expect(root.querySelector('.footnote em')?.textContent).toBe('Two');
    expect(root.querySelector('.footnote a')?.getAttribute('href')).toBe('https://example.org/');
  });

  it('are only those that are there', () => {
    expect(dom('The class [^a] of characters').textContent).toContain('[^a]');
    expect(dom('`[^a]`\n\n[^a]: x').querySelector('.footnote-mark')).toBeNull();
    expect(dom('x[^<b>]\n\n[^<b>]: y').querySelector('b')).toBeNull();
  });
});

describe('address', () => {
  it('knows what may be followed', () => {
    expect(address('https://example.org')).toBe('https://example.org/');
    expect(address('javascript:1')).toBeUndefined();
    expect(address('/local')).toBeUndefined();
  });
});
