import { afterAll, beforeAll, expect, it } from 'vitest';
import { App, type Visit } from './app';
import { faults } from './faults';
import { gate, Scripted, type Message } from './scripted';

const KEY = 'sk-right-0123456789';
let model: Scripted;
let app: App;

/** Answers the test's two questions, and what a person asks. */
function replies(messages: Message[]) {
  const asked = messages.at(-1)?.content ?? '';
  if (asked.includes('repeat_word')) {
    return { calls: [{ name: 'repeat_word', args: { word: 'ready' } }] };
  }
  return { text: asked.includes('ready') ? 'ready' : 'I am the connected model.' };
}

beforeAll(async () => {
  model = await Scripted.start(replies);
  model.key = KEY;
  app = await App.start({ model: 'first run' });
});
afterAll(async () => {
  await app.stop();
  await model.stop();
});

function connecting({ page }: Visit) {
  return page.getByRole('dialog', { name: 'Connect a model' });
}

async function fill(visit: Visit, key: string) {
  const dialog = connecting(visit);
  await dialog.getByLabel('Provider').selectOption({ label: 'Another, OpenAI-compatible' });
  await dialog.getByLabel('Address').fill(model.base);
  await dialog.getByLabel('Key').fill(key);
  await dialog.getByLabel('Model', { exact: true }).fill('scripted');
}

it('fits a phone', async () => {
  const visit = await app.open({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const { page } = visit;
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await page.locator('.welcome').getByRole('button', { name: 'Connect a model' }).click();
  await connecting(visit).getByLabel('Provider').waitFor();
  expect(await width()).toBeLessThanOrEqual(390);
  expect(await faults(page)).toEqual([]);
  await connecting(visit).getByRole('button', { name: 'Close' }).click();
  await connecting(visit).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Model: demo' }).click();
  const picker = page.getByRole('dialog', { name: 'Model', exact: true });
  await picker.getByRole('radio', { name: /^offline/ }).waitFor();
  expect(await width()).toBeLessThanOrEqual(390);
  expect(await faults(page)).toEqual([]);
  expect(visit.trouble).toEqual([]);
});

it('says which provider is meant while the server still looks around', async () => {
  const visit = await app.open();
  const { page } = visit;
  const held = gate();
  await page.route('**/api/models', async (route) => {
    await held.opened;
    await route.continue();
  });
  await page.locator('.welcome').getByRole('button', { name: 'Connect a model' }).click();
  const dialog = connecting(visit);
  expect(await dialog.getByLabel('Provider').inputValue()).toBe('openai');
  await fill(visit, KEY);
  // Which names are taken is not known yet.
  const use = dialog.getByRole('button', { name: 'Use this model' });
  expect(await use.isDisabled()).toBe(true);
  held.open();
  await expect.poll(() => use.isDisabled()).toBe(false);
  expect(await dialog.getByLabel('Provider').inputValue()).toBe('');
  expect(visit.trouble).toEqual([]);
});

it('forgets the models of an address that is not meant any more', async () => {
  const visit = await app.open();
  const { page } = visit;
  await page.locator('.welcome').getByRole('button', { name: 'Connect a model' }).click();
  const dialog = connecting(visit);
  await fill(visit, KEY);
  await dialog.getByRole('button', { name: 'List models' }).click();
  const told = dialog.getByText(/models are there: choose one/);
  await told.waitFor();
  await dialog.getByLabel('Address').fill(`${model.base}/elsewhere`);
  await told.waitFor({ state: 'detached' });
  expect(await dialog.locator('datalist option').count()).toBe(0);
  expect(visit.trouble).toEqual([]);
});

it('connects a model on the first run, and keeps it', async () => {
  const visit = await app.open();
  const { page } = visit;
  await page.locator('.welcome').getByRole('button', { name: 'Connect a model' }).click();
  const dialog = connecting(visit);
  await fill(visit, 'sk-wrong-9876543210');
  await dialog.getByRole('button', { name: 'Test' }).click();
  const found = dialog.getByRole('list', { name: 'What the test found' });
  await found.getByText('The key is not accepted').waitFor();
  await found.getByText('The address answers').waitFor();
  await found.getByText('Check the key').waitFor();
  await found.getByText('Answer: not tried').waitFor();
  expect(await dialog.innerText()).not.toContain('sk-wrong');
  expect(await faults(page)).toEqual([]);

  await dialog.getByLabel('Key').fill(KEY);
  // What was found out about the wrong key says nothing about this one.
  await found.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Test' }).click();
  await found.getByText('The model calls tools').waitFor();
  await found.getByText('The key is accepted').waitFor();
  await dialog.getByRole('button', { name: 'Use this model' }).click();
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: /^Model: .*scripted/ }).waitFor();
  await visit.ask('Who are you?');
  expect(await visit.answer()).toBe('I am the connected model.');
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(kept).not.toContain(KEY);

  await page.reload();
  await page.getByRole('button', { name: /^Model: .*scripted/ }).waitFor();
  await app.halt();
  await app.restart();
  const again = await app.open();
  await again.page.getByRole('button', { name: /^Model: .*scripted/ }).click();
  const picker = again.page.getByRole('dialog', { name: 'Model', exact: true });
  await picker.getByRole('radio', { name: /^Default: .*scripted/ }).waitFor();
  expect(await faults(again.page)).toEqual([]);
  await picker.getByRole('radio', { name: /^demo/ }).check();
  await picker.getByRole('button', { name: 'Done' }).click();
  await again.page.getByRole('button', { name: 'Model: demo' }).waitFor();
  expect([...visit.trouble, ...again.trouble]).toEqual([]);
  expect([...visit.foreign, ...again.foreign]).toEqual([]);
});
