import { afterAll, beforeAll, expect, it } from 'vitest';
import { App, booking, type Visit } from './app';
import { faults } from './faults';
import { Scripted, type Message } from './scripted';

let app: App;
let model: Scripted;

/** Calls the tool that asks, and repeats what it was told. */
function host(messages: Message[]) {
  const since = messages.slice(messages.findLastIndex((it) => it.role === 'user'));
  const result = since.find((it) => it.role === 'tool');
  if (result) return { text: `I was told: \`${result.content}\`` };
  return { calls: [{ name: 'book', args: { ask: since[0]?.content } }] };
}

beforeAll(async () => {
  model = await Scripted.start(host);
  app = await App.start({ model, binary: booking });
});
afterAll(async () => {
  await app.stop();
  await model.stop();
});

async function asked(what: string): Promise<Visit> {
  const visit = await app.open();
  await visit.ask(what);
  await visit.page.getByRole('button', { name: 'Look and answer' }).click();
  return visit;
}

it('asks in a form, and the tool has the answer', async () => {
  const visit = await asked('table');
  const { flow, page } = visit;
  await flow.getByText('Tables & Co asks you').waitFor();
  await flow.getByText('This is not from Toolwright.').waitFor();
  expect(await faults(page)).toEqual([]);
  expect(await flow.getByLabel('Guests').inputValue()).toBe('2');
  await flow.getByRole('radio', { name: 'Outside' }).check();
  await flow.getByLabel('Guests').fill('5');
  await flow.getByLabel('Day').fill('2026-03-01');
  await flow.getByLabel('A quiet table').uncheck();
  await flow.getByRole('checkbox', { name: 'cake' }).check();
  await flow.getByRole('button', { name: 'Send' }).click();
  const answer = await visit.answer();
  for (const part of ['"place":"out"', '"guests":5', '"day":"2026-03-01"', '"quiet":false']) {
    expect(answer).toContain(part);
  }
  expect(answer).toContain('"extras":["cake"]');
  expect(answer).not.toContain('email');
  expect(visit.trouble).toEqual([]);
});

it('says what is wrong, and waits', async () => {
  const visit = await asked('table');
  const { flow } = visit;
  await flow.getByRole('radio', { name: 'Inside' }).check();
  for (const extra of ['candles', 'music', 'cake']) {
    await flow.getByRole('checkbox', { name: extra }).check();
  }
  await flow.getByRole('button', { name: 'Send' }).click();
  await flow.getByText('Extras may have at most 2 choices').waitFor();
  await flow.getByRole('checkbox', { name: 'music' }).uncheck();
  await flow.getByRole('button', { name: 'Send' }).click();
  expect(await visit.answer()).toContain('"extras":["candles","cake"]');
});

it('is filled in with keys alone', async () => {
  const visit = await asked('table');
  const { flow, page } = visit;
  await flow.getByRole('radio', { name: 'Inside' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  const answer = await visit.answer();
  expect(answer).toContain('"place":"in"');
  expect(answer).toContain('"guests":3');
});

it('waits through a reload, and can be declined', async () => {
  const visit = await asked('yes');
  await visit.page.reload();
  await visit.page.getByRole('button', { name: 'Look and answer' }).click();
  await visit.flow.getByText('Shall I book the last table?').waitFor();
  await visit.flow.getByRole('button', { name: 'Decline' }).click();
  expect(await visit.answer()).toContain('"action":"decline"');
});

it('shows whose address it is before anybody goes there', async () => {
  const visit = await asked('url');
  const link = visit.flow.getByRole('link', { name: 'Open tables.example' });
  expect(await link.getAttribute('href')).toBe('https://tables.example/sign-in?id=7');
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
  expect(await faults(visit.page)).toEqual([]);
  await visit.flow.getByRole('button', { name: 'Cancel' }).click();
  expect(await visit.answer()).toContain('"action":"cancel"');
  expect(visit.foreign).toEqual([]);
});

it('keeps two questions apart, in either order', async () => {
  const visit = await asked('twice');
  const forms = visit.flow.getByRole('group', { name: 'A question from' });
  await visit.flow.getByText('Who comes second?').waitFor();
  expect(await forms.count()).toBe(2);
  const second = forms.filter({ hasText: 'Who comes second?' });
  await second.getByLabel('name').fill('Bo');
  await second.getByRole('button', { name: 'Send' }).click();
  await visit.flow.getByText('Who comes second?').first().waitFor();
  const first = forms.filter({ hasText: 'Who comes first?' });
  await first.getByLabel('name').fill('Ann');
  await first.getByRole('button', { name: 'Send' }).click();
  const answer = await visit.answer();
  expect(answer.indexOf('Ann')).toBeGreaterThan(0);
  expect(answer.indexOf('Ann')).toBeLessThan(answer.indexOf('Bo'));
});

it('keeps nobody out in the dark, and fits a phone', async () => {
  const visit = await app.open({
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const { page, flow } = visit;
  await visit.ask('table');
  await page.getByRole('button', { name: 'Look and answer' }).click();
  await flow.getByRole('button', { name: 'Send' }).waitFor();
  expect(await faults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await flow.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  expect(await visit.answer()).toContain('"action":"decline"');
});
