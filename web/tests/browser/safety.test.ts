import { afterAll, beforeAll, expect, it } from 'vitest';
import { App } from './app';
import { Scripted } from './scripted';

/** What somebody may get a model to say. Each piece would call `window.ran`, or ask elsewhere. */
const hostile = [
  '<script>window.ran = 1; alert(1)</script>',
  '<img src="https://example.org/a.png" onerror="window.ran = 1">',
  '<img src=x onerror=alert(1)>',
  '![a chart](https://example.org/b.png)',
  '![x](data:image/svg+xml,<svg/onload=alert(1)>)',
  '[click me](javascript:window.ran=1)',
  '[and me](data:text/html,<script>alert(1)</script>)',
  '[a page](https://example.org/page)',
  '<iframe src="https://example.org/c"></iframe>',
  '<style>body { background: url(https://example.org/d) }</style>',
  '<link rel="stylesheet" href="https://example.org/e.css">',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>',
  '<form action="https://example.org/f"><button>send</button></form>',
  '<base href="https://example.org/">',
  '<meta http-equiv="refresh" content="0;url=https://example.org/g">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '`<img src=x onerror=alert(1)>`',
  '```html\n<script>alert(1)</script>\n```',
  '| <img src=x onerror=alert(1)> | [b](vbscript:x) |\n|---|---|\n| 1 | 2 |',
  '<a href="https://example.org/h" ping="https://example.org/i" style="position:fixed;inset:0">all</a>',
].join('\n\n');

let app: App;
let model: Scripted;

beforeAll(async () => {
  model = await Scripted.start(() => ({ text: hostile.match(/[^]{1,7}/g) ?? [] }));
  app = await App.start({ model, task: 'demo' });
});
afterAll(async () => {
  await app.stop();
  await model.stop();
});

it('runs nothing and asks nobody, whatever an answer says', async () => {
  const visit = await app.open();
  const { page } = visit;
  await visit.ask(hostile);
  expect(await visit.answer()).toContain('window.ran = 1');

  const log = page.locator('main article');
  for (const tag of ['script', 'img', 'iframe', 'style', 'link', 'form', 'base', 'meta', 'math']) {
    expect(await log.locator(tag).count(), tag).toBe(0);
  }
  const links = await log
    .locator('a')
    .evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.getAttribute('rel')]));
  expect(links.map(([href]) => href)).toContain('https://example.org/page');
  for (const [href, rel] of links) {
    expect(href).toMatch(/^https:\/\/example\.org\//);
    expect(rel).toBe('noopener noreferrer');
  }
  await log.getByText('click me').last().click();
  await page.reload();
  await visit.answer();
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  expect(visit.foreign).toEqual([]);
  expect(visit.trouble).toEqual([]);
});

it('opens no file that is none, and shows one that is', async () => {
  const visit = await app.open();
  const { page } = visit;
  const open = async (name: string, text: string) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open file…' }).click();
    const file = { name, mimeType: 'application/json', buffer: Buffer.from(text) };
    await (await chooser).setFiles(file);
  };
  await open('a.json', '{"toolwright": 2, "events": [{"type": "__proto__"}]}');
  await page.getByText('a.json:', { exact: false }).waitFor();

  await visit.ask('Say it');
  await visit.answer();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export this conversation' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'JSON' }).click();
  const stream = await (await saved).createReadStream();
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  await open('b.json', text);
  await page.getByText('This is an opened file', { exact: false }).waitFor();
  expect(await visit.answer()).toContain('window.ran = 1');
  expect(visit.foreign).toEqual([]);
  expect(visit.trouble).toEqual([]);
});

it('knows a browser that comes by a link on another site', async () => {
  const { page } = await app.stranger();
  const [mail, link] = ['http://mail.example/', await app.link()];
  // The link that lets it in, the same once more, and one that leads to the page alone.
  for (const href of [link, link, new URL(link).origin]) {
    await page.route(mail, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${href}">Come in</a>` }),
    );
    await page.goto(mail);
    await page.getByRole('link', { name: 'Come in' }).click();
    await page.getByRole('textbox', { name: 'Your question' }).waitFor();
  }
});

it('tells a browser that was not let in what to do', async () => {
  const visit = await app.open();
  const { page } = visit;
  await page.context().clearCookies();
  // The page may have asked for something itself by then, and know.
  await visit.ask('May I?').catch(() => undefined);
  await page.getByRole('heading', { name: 'This browser needs a new link' }).waitFor();
  await page.goto(await app.link());
  await page.getByRole('textbox', { name: 'Your question' }).waitFor();
});
