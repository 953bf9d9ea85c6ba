import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { App } from './app';
import { faults } from './faults';
import { Scripted } from './scripted';

const hebrew = 'כתוב קובץ בשם a.txt';
const mixed = [
  'הקובץ `a.txt` נכתב.',
  'This line is English.',
  '- אחת\n- שתיים',
  '```sh\necho "שלום"\n```',
  `| ${'עמודה | '.repeat(12)}\n|${'---|'.repeat(12)}\n| ${'12,345.67 | '.repeat(12)}`,
].join('\n\n');

let app: App;
let model: Scripted;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-folder-'));
  let written = 0;
  model = await Scripted.start((messages) => {
    if (messages.at(-1)?.role === 'tool') return { text: mixed };
    written += 1;
    const args = { file_path: `${written}.txt`, content: 'zwei\n' };
    return { calls: [{ name: 'write', args }] };
  });
  app = await App.start({ model, workspace: folder });
});
afterAll(async () => {
  await app.stop();
  await model.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('in German', () => {
  it('is asked, decides and answers', async () => {
    const visit = await app.open({ locale: 'de-AT' });
    const { page, flow } = visit;
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.getByRole('textbox', { name: 'Deine Frage' }).waitFor();
    expect(await faults(page)).toEqual([]);

    await visit.ask('Schreib eine Datei');
    await page.getByText('Wartet auf dich: write').waitFor();
    const card = flow.getByRole('group', { name: 'Deine Entscheidung über write' });
    await card.getByRole('heading', { name: 'Darf write das tun?' }).waitFor();
    await card.getByText(/^Legt 1\.txt mit 1 Zeile an\./).waitFor();
    expect(await faults(page)).toEqual([]);
    await card.getByRole('button', { name: 'Einmal erlauben' }).click();

    await page.getByRole('button', { name: 'Antwort kopieren' }).waitFor();
    await flow.getByRole('heading', { name: 'Beantwortet' }).waitFor();
    await flow.getByText('Runde 1 von').waitFor();
    expect(await readFile(join(folder, '1.txt'), 'utf8')).toBe('zwei\n');
    expect(await faults(page)).toEqual([]);
    expect(visit.trouble).toEqual([]);
  });

  it('fits a phone', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const visit = await app.open({ locale: 'de', ...phone });
    const { page } = visit;
    const tabs = page.getByRole('navigation', { name: 'Was zu sehen ist' });
    for (const tab of ['Gespräche', 'Ablauf', 'Chat']) {
      await tabs.getByRole('button', { name: tab }).click();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      expect(await faults(page)).toEqual([]);
    }
  });

  it('is chosen in the settings, at once, and remembered', async () => {
    const visit = await app.open();
    const { page } = visit;
    const lang = (tag: string) => page.locator(`html[lang="${tag}"][dir="ltr"]`).waitFor();
    await lang('en');
    await visit.question.fill('Half a sentence');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch');
    await lang('de');
    const dialog = page.getByRole('dialog', { name: 'Einstellungen' });
    await dialog.getByRole('heading', { name: 'Immer erlaubt' }).waitFor();
    await dialog.getByRole('button', { name: 'Schließen' }).click();
    await page.getByRole('button', { name: 'Neuer Chat' }).waitFor();
    // What was being written stays.
    expect(await visit.question.inputValue()).toBe('Half a sentence');

    await page.reload();
    await page.getByRole('textbox', { name: 'Deine Frage' }).waitFor();
    await lang('de');
    await page.getByRole('button', { name: 'Einstellungen' }).click();
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('Wie das System');
    await lang('en');
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  });
});

describe('where lines begin at the right', () => {
  const sizes = [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ];

  it.each(sizes)('fits $width', async (viewport) => {
    const isPhone = viewport.width < 720;
    const visit = await app.open({ viewport, hasTouch: isPhone, isMobile: isPhone });
    const { page } = visit;
    await page.evaluate(() => (document.documentElement.dir = 'rtl'));
    /** What is wider than the pane it is in, and cannot be scrolled there. */
    const cut = () =>
      page.evaluate(() => {
        const panes = ['html', 'body', '.page', '.page > *', '.log', '.steps', '.days', 'header'];
        const all = [...document.querySelectorAll(panes.join(', '))];
        return all.filter((it) => it.scrollWidth > it.clientWidth + 1).map((it) => it.outerHTML);
      });
    const isFine = async () => {
      expect(await cut()).toEqual([]);
      expect(await faults(page)).toEqual([]);
    };
    await isFine();

    await visit.ask(hebrew);
    const allow = page.locator('main').getByRole('button', { name: 'Allow once' });
    await allow.waitFor();
    await isFine();
    await allow.click();
    await visit.answer();
    await isFine();

    const direction = (selector: string) =>
      page.locator(selector).evaluate((it) => getComputedStyle(it).direction);
    expect(await direction('.question > p')).toBe('rtl');
    expect(await direction('main .answer .block:has-text("English")')).toBe('ltr');
    expect(await direction('main .answer .block:has(li)')).toBe('rtl');
    expect(await direction('main .answer pre')).toBe('ltr');
    expect(await direction('main .answer .block:first-child code')).toBe('ltr');

    const left = async (selector: string) => (await page.locator(selector).boundingBox())?.x ?? 0;
    if (!isPhone) {
      expect(await left('.page > .list')).toBeGreaterThan(await left('.page > .chat'));
      expect(await left('.page > .chat')).toBeGreaterThan(await left('.page > .flow'));
    }
    for (const tab of isPhone ? ['Conversations', 'Flow'] : []) {
      await page.locator('.tabs').getByRole('button', { name: tab }).click();
      await isFine();
    }
    expect(visit.trouble).toEqual([]);
  });
});
