import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { App, type Visit } from './app';
import { faults } from './faults';
import { gate, Scripted } from './scripted';

let app: App;
let model: Scripted;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-folder-'));
  model = await Scripted.start(() => ({ text: 'Yes.' }));
  app = await App.start({ model, workspace: folder });
});
afterAll(async () => {
  await app.stop();
  await model.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Asks for a file to be written, and says what became of it. */
function writer(name: string) {
  model.script = (messages) => {
    const last = messages.at(-1);
    if (last?.role === 'tool') return { text: `I was told: ${last.content}` };
    return { calls: [{ name: 'write', args: { file_path: name, content: 'two\n' } }] };
  };
}

async function waiting(name: string): Promise<Visit> {
  writer(name);
  const visit = await app.open();
  await visit.ask('Write it');
  await visit.flow.getByRole('button', { name: 'Deny', exact: true }).waitFor();
  return visit;
}

it('closes with Esc what is being written about a call, and lets the run wait', async () => {
  const visit = await waiting('a.txt');
  const { flow, page } = visit;
  const deny = flow.getByRole('button', { name: 'Deny', exact: true });
  await deny.click();
  const why = flow.getByRole('textbox', { name: 'Why not?' });
  await why.fill('Not that');
  await why.press('Escape');
  await why.waitFor({ state: 'detached' });
  expect(await deny.evaluate((it) => it === document.activeElement)).toBe(true);
  await deny.press('Escape');

  await flow.getByRole('button', { name: 'Edit', exact: true }).click();
  await flow.getByRole('button', { name: 'Use these' }).press('Escape');
  await flow.getByRole('textbox', { name: 'Arguments' }).waitFor({ state: 'detached' });

  const search = page.getByRole('searchbox', { name: 'Search conversations' });
  await search.press('Escape');

  // The reason is still there, and it is the model that reads it.
  await deny.click();
  expect(await why.inputValue()).toBe('Not that');
  await flow.getByRole('button', { name: 'Deny this call' }).click();
  expect(await visit.answer()).toContain('Not that');
});

it('leaves whoever has only keys where they were once a call is allowed', async () => {
  const visit = await waiting('b.txt');
  const allow = visit.flow.getByRole('button', { name: 'Allow once' });
  await allow.focus();
  await allow.press('Enter');
  await visit.answer();
  const at = await visit.page.evaluate(() => document.activeElement?.textContent ?? '');
  expect(at).toMatch(/write.*ok/);
});

it('keeps the end of a fast answer in sight, until the reader goes up', async () => {
  const end = gate();
  const lines = Array.from({ length: 600 }, (_, at) => `Paragraph ${at} of many.\n\n`);
  model.script = () => ({ text: [...lines, 'The last words.'], hold: end.opened });
  const visit = await app.open();
  const { page } = visit;
  await visit.ask('Tell me everything');
  await page.getByText('The last words.').first().waitFor();
  const left = () =>
    page
      .getByRole('region', { name: 'Messages' })
      .evaluate((it) => it.scrollHeight - it.scrollTop - it.clientHeight);
  await expect.poll(left).toBeLessThan(4);
  expect(await page.getByRole('button', { name: 'Jump to latest' }).count()).toBe(0);

  await page.getByRole('region', { name: 'Messages' }).focus();
  await page.keyboard.press('PageUp');
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  end.open();
  await visit.answer();
  expect(await left()).toBeGreaterThan(64);
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect.poll(left).toBeLessThan(4);
});

it.each([
  ['length', 'the model reached the most it may write', 'Answer cut off'],
  ['content_filter', 'the provider withheld the rest', 'Answer withheld in part'],
])('says that an answer ended with %s, and goes on with it', async (finish, words, title) => {
  model.script = () => ({ text: 'Once upon a', finish });
  const visit = await app.open();
  const { page, flow } = visit;
  await visit.ask('Tell me a story');
  await page.getByText(words, { exact: false }).first().waitFor();
  await flow.getByRole('heading', { name: title }).waitFor();
  expect(await flow.getByText('Answered', { exact: true }).count()).toBe(0);
  model.script = () => ({ text: ' time.' });
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByText('Continue exactly where', { exact: false }).first().waitFor();
  expect(await visit.answer()).toBe('time.');
  expect(model.requests.at(-1)?.map((it) => it.content)).toContain('Once upon a');
  expect(await page.getByRole('button', { name: 'Continue', exact: true }).count()).toBe(0);
});

it('says what was received of an answer that was stopped', async () => {
  const half = gate();
  model.script = () => ({ text: ['Once upon'], hold: half.opened });
  const visit = await app.open();
  const { page, flow } = visit;
  await visit.ask('Tell me a story');
  await page.getByText('Once upon').first().waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await flow.getByRole('heading', { name: 'Stopped' }).waitFor();
  half.open();
  await flow.getByRole('heading', { name: 'Generating response' }).waitFor();
  expect(await flow.getByText('No reply').count()).toBe(0);
});

it('shows a run that waited when it was exported, and offers nothing it cannot do', async () => {
  const visit = await waiting('c.txt');
  const { page, flow } = visit;
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export this conversation' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'JSON' }).click();
  const file = await (await download).path();
  const text = await readFile(file);
  await page.getByRole('button', { name: 'Stop' }).click();
  await flow.getByRole('heading', { name: 'Stopped' }).waitFor();
  await page
    .getByLabel('An exported run', { exact: true })
    .setInputFiles({ name: 'run.json', mimeType: 'application/json', buffer: text });
  await page.getByText('waiting for a decision when this file was written').waitFor();
  expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Allow once' }).count()).toBe(0);
  expect(visit.trouble).toEqual([]);
});

it('says so where there is no such conversation', async () => {
  const { page } = await app.open();
  await page.goto(`${app.origin}/#conv_nobody`);
  await page.getByText('There is nothing to show here.').waitFor();
  expect(await page.getByText('Opening…').count()).toBe(0);
  const field = page.getByRole('textbox', { name: 'Your question' });
  await field.fill('Hello?');
  expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
  await page.getByRole('main').getByRole('button', { name: 'New chat' }).click();
  await page.getByRole('heading', { level: 1, name: 'New chat' }).waitFor();
});

it('keeps what is being written, for each conversation, through a reload', async () => {
  model.script = () => ({ text: 'Yes.' });
  const visit = await app.open();
  const { page } = visit;
  const field = page.getByRole('textbox', { name: 'Your question' });
  await visit.ask('The first of drafts');
  await visit.answer();
  await field.fill('More about the first');
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByRole('heading', { level: 1, name: 'New chat' }).waitFor();
  expect(await field.inputValue()).toBe('');
  await field.fill('Something new');
  await visit.show('The first of drafts');
  expect(await field.inputValue()).toBe('More about the first');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'The first of drafts' }).waitFor();
  expect(await field.inputValue()).toBe('More about the first');
  await field.press('Enter');
  await page.getByText('More about the first').first().waitFor();
  await visit.answer();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'The first of drafts' }).waitFor();
  expect(await field.inputValue()).toBe('');
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByRole('heading', { level: 1, name: 'New chat' }).waitFor();
  expect(await field.inputValue()).toBe('Something new');
});

it('tells what keys do, and leads past what comes first', async () => {
  const { page } = await app.open();
  const field = page.getByRole('textbox', { name: 'Your question' });
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Skip to the question' }).press('Enter');
  await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true);
  // In a question it is a question mark.
  await page.keyboard.type('?');
  expect(await field.inputValue()).toBe('?');
  await field.fill('');
  await page.getByRole('button', { name: 'New chat' }).focus();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await sheet.waitFor();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
});
