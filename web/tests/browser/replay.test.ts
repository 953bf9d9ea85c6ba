import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asFile, made } from '../logs/made';
import { App } from './app';
import { faults } from './faults';
import { Scripted } from './scripted';

let app: App;
let model: Scripted;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-replay-'));
  model = await Scripted.start((messages) =>
    messages.at(-1)?.role === 'user'
      ? { calls: [{ name: 'calculate_tip', args: { amount: 50, percentage: 20 } }] }
      : { text: 'The tip is $10.00.' },
  );
  app = await App.start({ model, task: 'demo' });
});
afterAll(async () => {
  await app.stop();
  await model.stop();
  await rm(folder, { recursive: true });
});

/** Goes through a run that made one call, in whichever page shows it. */
async function goThrough(page: Page, answer: string): Promise<void> {
  const main = page.locator('main');
  const flow = page.locator('.page > .flow');
  await main.getByText(answer).waitFor();
  await flow.getByRole('button', { name: 'Replay' }).click();
  const replay = flow.getByRole('group', { name: 'Replay' });
  const slider = replay.getByRole('slider', { name: 'Event' });
  const count = Number(await slider.getAttribute('max'));
  expect(count).toBeGreaterThan(6);
  await slider.focus();
  // At its beginning, nothing is there yet but the question's run.
  await page.keyboard.press('Home');
  await main.getByText(`event 1 of ${count}`).waitFor();
  expect(await main.getByText(answer).count()).toBe(0);
  expect(await flow.locator('article.card').count()).toBe(0);
  // Step by step the call appears, running and then with its result, and nothing says it was cut short.
  const states: string[] = [];
  for (let number = 2; number <= count; number += 1) {
    await page.keyboard.press('ArrowRight');
    await main.getByText(`event ${number} of ${count}`).waitFor();
    const words = await flow.locator('article.card .word').allInnerTexts();
    if (words.length > 0 && words[0] !== states.at(-1)) states.push(words[0] ?? '');
  }
  expect(states).toContain('running');
  expect(states.at(-1)).toBe('ok');
  expect(states).not.toContain('cut short');
  await main.getByText(answer).waitFor();
  expect(await faults(page)).toEqual([]);
  // Played, it comes to its end by itself.
  await page.keyboard.press('Home');
  await replay.getByRole('combobox', { name: 'Speed' }).selectOption('64×');
  await replay.getByRole('button', { name: 'Play' }).click();
  await main.getByText(`event ${count} of ${count}`).waitFor();
  await replay.getByRole('button', { name: 'Play' }).waitFor();
  await main.getByRole('button', { name: 'Back to now' }).click();
  await expect.poll(() => main.getByText(/As of/).count()).toBe(0);
  await main.getByText(answer).waitFor();
}

it('goes through a run from its events, in every pane', async () => {
  const visit = await app.open();
  await visit.ask('A tip of 20% on 50?');
  await visit.answer();
  await goThrough(visit.page, 'The tip is $10.00.');
  // What is asked while one looks back is asked now.
  await visit.page.locator('.page > .flow').getByRole('slider', { name: 'Event' }).press('Home');
  await visit.page.locator('main').getByText(/As of/).waitFor();
  await visit.ask('And again?');
  await visit.page.getByRole('button', { name: 'Copy answer' }).nth(1).waitFor();
  expect(await visit.page.locator('main').getByText(/As of/).count()).toBe(0);
  expect(visit.trouble).toEqual([]);
});

it('goes through a run of an opened file', async () => {
  const visit = await app.open();
  const { page } = visit;
  const events = made({ run: 'run_file', rounds: [[{ tool: 'show' }]], answer: 'Seen.' });
  await page.locator('input[type=file][accept*=json]').first().setInputFiles(asFile(events));
  await goThrough(page, 'Seen.');
  expect(visit.trouble).toEqual([]);
});

it('works in an exported file, without a server', async () => {
  const visit = await app.open();
  const { page } = visit;
  await visit.ask('A tip of 20% on 50, exported?');
  await visit.answer();
  await page.getByRole('button', { name: 'Export this conversation' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: /HTML/ }).click(),
  ]);
  const path = join(folder, 'exported.html');
  await writeFile(path, '');
  await file.saveAs(path);
  const other = await page.context().newPage();
  const trouble: string[] = [];
  other.on('pageerror', (error) => trouble.push(error.message));
  await other.goto(`file://${path}`);
  await goThrough(other, 'The tip is $10.00.');
  expect([...trouble, ...visit.trouble]).toEqual([]);
});
