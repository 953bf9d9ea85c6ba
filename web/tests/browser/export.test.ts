import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { App } from './app';
import { faults } from './faults';
import { Scripted } from './scripted';

const hostile = '</script><img src=x onerror="document.title=`stolen`">';

let app: App;
let model: Scripted;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-export-'));
  model = await Scripted.start((messages) =>
    messages.at(-1)?.role === 'user'
      ? { calls: [{ name: 'calculate_tip', args: { amount: 50, percentage: 20 } }] }
      : { text: `The tip is $10.00.\n\n${hostile}\n\n$$\nx^2\n$$` },
  );
  app = await App.start({ model, task: 'demo' });
});
afterAll(async () => {
  await app.stop();
  await model.stop();
  await rm(folder, { recursive: true, force: true });
});

it('opens without a server, with the chat and the Flow', async () => {
  const visit = await app.open();
  const { page } = visit;
  await visit.ask(`A tip? ${hostile}`);
  await visit.answer();
  const save = async (form: string) => {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export this conversation' }).click();
    await page.getByRole('dialog').getByRole('button', { name: form }).click();
    const download = await saved;
    const path = join(folder, download.suggestedFilename());
    await download.saveAs(path);
    return path;
  };
  const markdown = await readFile(await save('Markdown'), 'utf8');
  expect(markdown).toContain('calculate_tip');
  expect(markdown).toContain('The tip is $10.00.');

  const path = await save('HTML');
  expect(path).toMatch(/\.html$/);
  const asked: string[] = [];
  const trouble: string[] = [];
  const alone = await page.context().newPage();
  alone.on('request', (it) => asked.push(it.url()));
  alone.on('pageerror', (error) => trouble.push(error.message));
  await alone.goto(`file://${path}`);
  await alone.locator('main article math msup').waitFor();
  await alone.getByText('It has everything in it', { exact: false }).waitFor();
  const flow = alone.getByRole('complementary', { name: 'Execution Flow' });
  await flow.getByText('calculate_tip').first().click();
  await flow.getByText('percentage').first().waitFor();
  expect(await alone.locator('main article img').count()).toBe(0);
  expect(await alone.title()).not.toBe('stolen');
  expect(await faults(alone)).toEqual([]);
  expect(asked.filter((url) => !/^(?:file|data|blob):/.test(url))).toEqual([]);
  expect(trouble).toEqual([]);
  expect(visit.trouble).toEqual([]);
});
