import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { App, type Visit } from './app';
import { Scripted, type Message } from './scripted';

let app: App;
let model: Scripted;
let folder: string;

const file = () => join(folder, 'hello.txt');
const change = { file_path: 'hello.txt', old_string: 'Hello, world', new_string: 'Hello, reader' };

/** Reads the file, asks to change it, and repeats what it was told. */
function editor(messages: Message[]) {
  const since = messages.slice(messages.findLastIndex((it) => it.role === 'user') + 1);
  const results = since.filter((it) => it.role === 'tool');
  if (results.length === 0) return { calls: [{ name: 'show', args: { file_path: 'hello.txt' } }] };
  if (results.length === 1) return { calls: [{ name: 'edit', args: change }] };
  return { text: `I was told: ${results.at(-1)?.content}` };
}

async function proposed(): Promise<Visit> {
  const visit = await app.open();
  await visit.ask('Greet the reader');
  await visit.page.getByRole('button', { name: 'Look and decide' }).click();
  await visit.flow.getByText('May edit do this?').waitFor();
  return visit;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-folder-'));
  model = await Scripted.start(editor);
  app = await App.start({ model, workspace: folder });
});
beforeEach(() => writeFile(file(), 'A greeting\n\nHello, world\n'));
afterAll(async () => {
  await app.stop();
  await model.stop();
  await rm(folder, { recursive: true, force: true });
});

it('shows the change and makes it once it is allowed', async () => {
  const visit = await proposed();
  const { flow } = visit;
  await flow.getByText('Hello, reader').first().waitFor();
  expect(await readFile(file(), 'utf8')).toContain('Hello, world');
  await flow.getByRole('button', { name: 'Allow once' }).click();
  await visit.answer();
  await visit.chip('edit', 'ok').waitFor();
  expect(await readFile(file(), 'utf8')).toContain('Hello, reader');
  expect(visit.trouble).toEqual([]);
});

it('leaves everything as it is when it is denied, and tells the model why', async () => {
  const visit = await proposed();
  const { flow } = visit;
  await flow.getByRole('button', { name: 'Deny', exact: true }).click();
  await flow.getByRole('textbox', { name: 'Why not?' }).fill('The world comes first');
  await flow.getByRole('button', { name: 'Deny this call' }).click();
  expect(await visit.answer()).toContain('The world comes first');
  await visit.chip('edit', 'denied').waitFor();
  expect(await readFile(file(), 'utf8')).toContain('Hello, world');
});

it('asks again about arguments that were edited', async () => {
  const visit = await proposed();
  const { flow } = visit;
  await flow.getByRole('button', { name: 'Edit', exact: true }).click();
  const field = flow.getByRole('textbox', { name: 'Arguments' });
  await field.fill('{ broken');
  expect(await flow.getByRole('button', { name: 'Use these' }).isDisabled()).toBe(true);
  await field.fill(JSON.stringify({ ...change, new_string: 'Hello, everyone' }));
  await flow.getByRole('button', { name: 'Use these' }).click();
  await flow.getByText('Hello, everyone').first().waitFor();
  expect(await readFile(file(), 'utf8')).toContain('Hello, world');
  await flow.getByRole('button', { name: 'Allow once' }).click();
  await visit.answer();
  expect(await readFile(file(), 'utf8')).toContain('Hello, everyone');
});

it('waits through a reload', async () => {
  const visit = await proposed();
  await visit.page.reload();
  await visit.page.getByRole('button', { name: 'Look and decide' }).click();
  await visit.flow.getByRole('button', { name: 'Allow once' }).click();
  await visit.answer();
  expect(await readFile(file(), 'utf8')).toContain('Hello, reader');
});

it('is made now, and not while one looks back', async () => {
  const visit = await proposed();
  const { page, flow } = visit;
  const allow = page.getByRole('button', { name: 'Allow once' });
  await flow.getByRole('button', { name: 'Replay' }).click();
  const slider = flow.getByRole('slider', { name: 'Event' });
  await slider.press('Home');
  await page.locator('main').getByText('event 1 of').waitFor();
  expect(await allow.count()).toBe(0);
  // At the very event at which it is waited for, too.
  await slider.press('End');
  await flow.getByText('waiting for you').first().waitFor();
  expect(await allow.count()).toBe(0);
  await page.locator('main').getByRole('button', { name: 'Back to now' }).click();
  await flow.getByRole('button', { name: 'Allow once' }).click();
  await visit.answer();
  expect(await readFile(file(), 'utf8')).toContain('Hello, reader');
  expect(visit.trouble).toEqual([]);
});
