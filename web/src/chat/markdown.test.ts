// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { address, Markdown } from './markdown';

function html(text: string, tools: string[] = []): string {
  return new Markdown(new Set(tools))
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

describe('address', () => {
  it('knows what may be followed', () => {
    expect(address('https://example.org')).toBe('https://example.org/');
    expect(address('javascript:1')).toBeUndefined();
    expect(address('/local')).toBeUndefined();
  });
});
