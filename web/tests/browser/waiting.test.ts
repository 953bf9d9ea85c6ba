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

it('decides in the chat, and says there what would happen', async () => {
  const visit = await asked([write('a.txt')], 'In the chat');
  const { page } = visit;
  const card = cards(visit);
  await card.getByText('Creates a.txt with 1 line.').waitFor();
  await card.getByText('To undo it, delete the file.').waitFor();
  await expect.poll(() => page.title()).toContain('(1)');
  const entry = page.locator('.list li').filter({ hasText: 'In the chat' });
  await entry.getByRole('img', { name: 'waits for you' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await card.getByRole('button', { name: 'Allow once' }).click();
  await visit.answer();
  expect(await readdir(folder)).toEqual(['a.txt']);
  await expect.poll(() => page.title()).not.toContain('(');
  await entry.getByRole('img', { name: 'waits for you' }).waitFor({ state: 'detached' });
  expect(visit.trouble).toEqual([]);
});

it('decides with keys alone', async () => {
  const visit = await asked([write('f.txt')], 'With keys');
  const { page } = visit;
  const at = () => cards(visit).evaluate((it) => it === document.activeElement);
  await page.keyboard.press('Control+.');
  await expect.poll(at).toBe(true);
  await page.keyboard.press('d');
  await page.keyboard.type('Not yet');
  await page.keyboard.press('Escape');
  await page.keyboard.press('a');
  await visit.answer();
  expect(await readdir(folder)).toEqual(['f.txt']);
  const field = page.getByRole('textbox', { name: 'Your question' });
  expect(await field.evaluate((it) => it === document.activeElement)).toBe(true);
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
