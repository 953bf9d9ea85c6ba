// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { kept, log, names } from '../../tests/logs/read';
import { asHtml, asMarkdown } from './documents';
import { fold } from './reducer';

const hostile = '</script><script>alert(1)</script><!-- <style></style>';

describe('asHtml', () => {
  const html = asHtml({
    title: hostile,
    file: JSON.stringify({ toolwright: 2, events: [hostile] }),
    script: `"</script>"; "<!--"; "</SCRIPT>";`,
    style: `a::before { content: "</style>" }`,
  });
  const page = new DOMParser().parseFromString(html, 'text/html');

  it('has the file as data, letter by letter', () => {
    const data = page.getElementById('export')?.textContent ?? '';
    expect(JSON.parse(data)).toEqual({ toolwright: 2, events: [hostile] });
    expect(page.title).toBe(hostile);
  });

  it('has one script, the viewer, and nothing that ends it', () => {
    const scripts = [...page.querySelectorAll('script')].filter((it) => it.id !== 'export');
    expect(scripts).toHaveLength(1);
    expect(scripts[0]?.textContent).toBe(`"\\x3c/script>"; "\\x3c!--"; "\\x3c/SCRIPT>";`);
    expect(page.querySelectorAll('style')).toHaveLength(1);
    expect(page.body.children).toHaveLength(4);
  });

  it('lets nothing else run, and loads nothing', () => {
    const policy = page.querySelector('meta[http-equiv]')?.getAttribute('content') ?? '';
    const nonce = /'nonce-([0-9a-f]{16,})'/.exec(policy)?.[1];
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(page.querySelector('script:not(#export)')?.getAttribute('nonce')).toBe(nonce);
  });
});

describe('asMarkdown', () => {
  it('tells every run there is', () => {
    for (const name of names) {
      const { turns } = fold(kept(log(name)));
      const text = asMarkdown(name, turns);
      expect(text.match(/^## You, /gm)?.length, name).toBe(turns.length);
    }
  });

  it('tells what was asked, called and answered', () => {
    const text = asMarkdown('Tip', fold(kept(log('parallel'))).turns);
    expect(text).toMatch(/^# Tip\n\n## You, 2026-11-15 /);
    expect(text).toContain("> What's the weather in San Francisco");
    expect(text).toContain('- `get_weather` ` {"location":"San Francisco"} `: ok');
    expect(text).toContain('The tip is $9.12');
  });
});
