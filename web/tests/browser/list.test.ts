import { afterAll, beforeAll, expect, it } from 'vitest';
import { App, type Visit } from './app';

let app: App;
let visit: Visit;

beforeAll(async () => {
  app = await App.start({ task: 'demo' });
  visit = await app.open();
});
afterAll(() => app.stop());

async function start(question: string) {
  await visit.page.getByRole('button', { name: 'New chat' }).click();
  await visit.ask(question);
  await visit.answer();
}

const entry = (title: string) =>
  visit.page.getByRole('navigation').getByRole('button', { name: title, exact: true });

it('finds, opens, renames and deletes conversations', async () => {
  const { page } = visit;
  await start('What is the weather in Paris?');
  await start('What is the weather in Oslo?');
  await visit.show('What is the weather in Paris?');
  expect(await visit.answer()).toContain('Paris');
  await page.goBack();
  await page.getByRole('heading', { name: 'What is the weather in Oslo?' }).first().waitFor();

  await entry('What is the weather in Oslo?').hover();
  await page.getByRole('button', { name: 'Rename “What is the weather in Oslo?”' }).click();
  await page.getByRole('textbox', { name: 'New title' }).fill('The north');
  await page.keyboard.press('Enter');
  await entry('The north').waitFor();

  await page.getByRole('searchbox').fill('Paris');
  await entry('The north').waitFor({ state: 'detached' });
  await page.getByRole('searchbox').fill('');
  await entry('The north').waitFor();

  await entry('The north').hover();
  await page.getByRole('button', { name: 'Delete “The north”' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This cannot be undone', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await dialog.waitFor({ state: 'detached' });
  await entry('The north').hover();
  await page.getByRole('button', { name: 'Delete “The north”' }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await entry('The north').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'New chat' }).waitFor();
  expect(visit.trouble).toEqual([]);
});

it('remembers panes and colours, and forgets the token', async () => {
  const { page } = visit;
  await page.getByRole('button', { name: 'Dark colours' }).click();
  await page.getByRole('button', { name: 'Hide Execution Flow' }).click();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Broker access token').fill('s3cret');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  expect(
    await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage })),
  ).not.toContain('s3cret');
  await page.reload();
  await page.getByRole('button', { name: 'Show Execution Flow' }).waitFor();
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  await page.getByRole('button', { name: 'Settings' }).click();
  expect(await page.getByLabel('Broker access token').inputValue()).toBe('');
});
