import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { App, type Visit } from './app';
import { faults } from './faults';
import { Scripted } from './scripted';

let app: App;
let model: Scripted;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-folder-'));
  model = await Scripted.start(() => ({ text: 'Yes.' }));
  app = await App.start({ model, workspace: folder });
});
beforeEach(async () => {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
});
afterAll(async () => {
  await app.stop();
  await model.stop();
  await rm(folder, { recursive: true, force: true });
});

const write = (name: string) => ({ name: 'write', args: { file_path: name, content: 'two\n' } });

/** A question whose answer takes these calls. */
async function asked(calls: { name: string; args: unknown }[], title: string): Promise<Visit> {
  model.script = (messages) => (messages.at(-1)?.role === 'tool' ? { text: 'Done.' } : { calls });
  const visit = await app.open();
  await visit.ask(title);
  await cards(visit)
    .nth(calls.length - 1)
    .waitFor();
  return visit;
}

const cards = (visit: Visit) =>
  visit.page.getByRole('main').getByRole('group', { name: /^Your decision about/ });

it('decides in the chat, in any order', async () => {
  const visit = await asked([write('a.txt'), write('b.txt'), write('c.txt')], 'Three in a row');
  const { page } = visit;
  const card = (name: string) => cards(visit).filter({ hasText: `Creates ${name} with 1 line.` });
  expect(await page.title()).toContain('(3)');
  expect(await faults(page)).toEqual([]);
  await card('b.txt').getByRole('button', { name: 'Allow once' }).click();
  await card('b.txt').waitFor({ state: 'detached' });
  await card('c.txt').getByRole('button', { name: 'Deny', exact: true }).click();
  await card('c.txt').getByRole('button', { name: 'Deny this call' }).click();
  await card('c.txt').waitFor({ state: 'detached' });
  await expect.poll(() => page.title()).toContain('(1)');
  await card('a.txt').getByText('To undo it, delete the file.').waitFor();
  await card('a.txt').getByRole('button', { name: 'Allow once' }).click();
  await visit.answer();
  expect((await readdir(folder)).sort()).toEqual(['a.txt', 'b.txt']);
  await expect.poll(() => page.title()).not.toContain('(');
  expect(visit.trouble).toEqual([]);
});

it('decides about calls that are alike together', async () => {
  const visit = await asked([write('d.txt'), write('e.txt')], 'Two of a kind');
  const all = visit.page.getByRole('group', { name: 'All calls of write' });
  await all.getByRole('button', { name: 'Allow all 2' }).click();
  await visit.answer();
  expect((await readdir(folder)).sort()).toEqual(['d.txt', 'e.txt']);
});

it('decides with keys alone', async () => {
  const visit = await asked([write('f.txt'), write('g.txt')], 'With keys');
  const { page } = visit;
  const at = (index: number) =>
    cards(visit)
      .nth(index)
      .evaluate((it) => it === document.activeElement);
  await page.keyboard.press('Control+.');
  await expect.poll(() => at(0)).toBe(true);
  await page.keyboard.press('ArrowDown');
  expect(await at(1)).toBe(true);
  await page.keyboard.press('a');
  await expect.poll(() => cards(visit).count()).toBe(1);
  // Whoever has only keys is at what waits next.
  expect(await at(0)).toBe(true);
  await page.keyboard.press('d');
  await page.keyboard.type('Enough');
  await page.keyboard.press('Enter');
  await visit.answer();
  expect(await readdir(folder)).toEqual(['g.txt']);
  expect(model.requests.at(-1)?.some((it) => it.content?.includes('Enough'))).toBe(true);
});

it('marks in the list what waits, wherever the reader is', async () => {
  const visit = await asked([write('h.txt')], 'Waits elsewhere');
  const { page } = visit;
  const entry = page.locator('.list li').filter({ hasText: 'Waits elsewhere' });
  await entry.getByRole('img', { name: 'waits for you' }).waitFor();
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByRole('heading', { level: 1, name: 'New chat' }).waitFor();
  // The server tells how much waits in a conversation that is not open.
  await page.reload();
  await page.goto(app.origin);
  await entry.getByRole('img', { name: 'waits for you' }).waitFor();
  await expect.poll(() => page.title()).toContain('(1)');
  // The mark is a part of what the entry says.
  await visit.show('Waits elsewhere waits for you', 'Waits elsewhere');
  await cards(visit).getByRole('button', { name: 'Allow once' }).click();
  await visit.answer();
  await entry.getByRole('img', { name: 'waits for you' }).waitFor({ state: 'detached' });
});

it('offers “Always” for a command, and says what that covers', async () => {
  const bash = { name: 'bash', args: { command: 'touch i.txt' } };
  const visit = await asked([bash], 'Always that');
  const { page } = visit;
  const card = cards(visit);
  await card.getByText('Runs this command', { exact: false }).waitFor();
  const rule = await card.locator('.hint code').first().innerText();
  expect(rule).toContain('allow bash `touch i.txt`');
  await card.getByRole('button', { name: 'Always' }).click();
  await visit.answer();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('dialog').getByText(rule).waitFor();
});

it('asks whether to notify only once the reader wants it, and then does', async () => {
  const visit = await asked([write('j.txt')], 'Tell me');
  const { page } = visit;
  // No browser here shows any: what the page asks of it is looked at.
  await page.addInitScript(() => {
    const told: string[] = [];
    let permission = 'default';
    class Fake {
      static get permission() {
        return permission;
      }
      static async requestPermission() {
        told.push('asked');
        return (permission = 'granted');
      }
      constructor(words: string, { body }: { body: string }) {
        told.push(`${words}: ${body}`);
      }
      close() {}
    }
    Object.assign(globalThis, { Notification: Fake, told });
    document.hasFocus = () => false;
  });
  await page.reload();
  await cards(visit).first().waitFor();
  const told = () => page.evaluate(() => (globalThis as unknown as { told: string[] }).told);
  expect(await told()).toEqual([]);
  await page.getByRole('button', { name: 'Notify me' }).click();
  await page.getByRole('button', { name: 'Notify me' }).waitFor({ state: 'detached' });
  await cards(visit).getByRole('button', { name: 'Allow once' }).click();
  await visit.answer();
  model.script = (messages) =>
    messages.at(-1)?.role === 'tool' ? { text: 'Done.' } : { calls: [write('k.txt')] };
  await visit.ask('And again');
  await cards(visit).first().waitFor();
  await expect.poll(told).toEqual(['asked', 'Toolwright waits for you: Tell me']);
  await cards(visit).getByRole('button', { name: 'Allow once' }).click();
  await visit.answer();
});

it('decides about one call, however long the key is held', async () => {
  const names = ['h.txt', 'i.txt', 'j.txt'];
  const visit = await asked(names.map(write), 'A heavy hand');
  const { page } = visit;
  await cards(visit).first().focus();
  // The second `down` of a key is what a keyboard sends while it is held.
  for (let at = 0; at < 8; at += 1) await page.keyboard.down('a');
  await expect.poll(() => cards(visit).count()).toBe(2);
  await page.keyboard.up('a');
  expect(await cards(visit).count()).toBe(2);
  await page.getByRole('button', { name: 'Deny all 2' }).click();
  await visit.answer();
  expect(await readdir(folder)).toEqual(['h.txt']);
});

const HOSTILE = [
  'a_path_without_any_place_to_break_it_'.repeat(5),
  `${'x'.repeat(60)}${'　'.repeat(60)}.txt`,
  `${'\u{1F9EA}\u{200D}'.repeat(30)}.txt`,
  `${'أ'.repeat(120)}.txt`,
];

it.each([390, 1280, 1440])('shows all of what is decided about at %s pixels', async (width) => {
  for (const [at, name] of HOSTILE.entries()) {
    const content = `print('hello')${' '.repeat(400)}; nobody_should_miss_this()\n`;
    const call = { name: 'write', args: { file_path: name, content } };
    model.script = (messages) =>
      messages.at(-1)?.role === 'tool' ? { text: 'Done.' } : { calls: [call] };
    const visit = await app.open({ viewport: { width, height: 900 } });
    const { page } = visit;
    await visit.ask(`Write something long, ${at}`);
    await cards(visit).first().waitFor();
    // Nothing on the card lies beyond what can be seen of it, in the chat or in the Flow.
    const beyond = await page.evaluate(() => {
      const found: string[] = [];
      for (const card of document.querySelectorAll('[data-decision]')) {
        const { left, right } = card.getBoundingClientRect();
        if (right - left === 0) continue;
        if (left < 0 || right > innerWidth) found.push(`the card itself: ${left} to ${right}`);
        const texts = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
        for (let text = texts.nextNode(); text; text = texts.nextNode()) {
          // What is only said aloud is nowhere to be seen.
          if ((text.parentElement?.offsetWidth ?? 0) <= 1) continue;
          const range = document.createRange();
          range.selectNodeContents(text);
          for (const box of range.getClientRects()) {
            if (box.width > 1 && (box.left < left - 1 || box.right > right + 1)) {
              found.push(`${text.textContent}: ${box.left} to ${box.right} of ${left} to ${right}`);
            }
          }
        }
      }
      if (document.documentElement.scrollWidth > innerWidth) found.push('the page is too wide');
      return found.slice(0, 5);
    });
    expect(beyond).toEqual([]);
    expect(await cards(visit).getByRole('button', { name: 'Deny', exact: true }).isVisible()).toBe(
      true,
    );
    await page.close();
  }
});
