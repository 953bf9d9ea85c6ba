import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Event } from '../../src/events/types';
import { asFile, made, sample, type MadeCall } from '../logs/made';
import { App, type Visit } from './app';
import { faults } from './faults';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.stop());

async function opened(events: readonly Event[], options = {}): Promise<Visit> {
  const visit = await app.open(options);
  const picker = visit.page.locator('input[type=file][accept*=json]').first();
  await picker.setInputFiles(asFile(events));
  await visit.page.getByRole('region', { name: 'Messages' }).locator('article').first().waitFor();
  return visit;
}

const shows: MadeCall[] = Array.from({ length: 30 }, (_, at) => ({
  ...sample('file'),
  args: { path: `src/part_${at}.rs` },
}));

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

it('shows results in the chat as what they are, and the answer leads to the calls', async () => {
  const rounds = [
    [sample('tree'), sample('shell')],
    [sample('candles-daily'), sample('weather'), sample('edit')],
  ];
  const answer = 'I changed `README.md`, and `bash` ran.';
  const events = made({ run: 'run_kinds', rounds, answer });
  const visit = await opened(events);
  const { page, flow } = visit;
  const results = page.locator('main').getByRole('list', { name: 'Results' });
  // The change and the chart are open, what led there is a line, the weather stays a chip.
  await results.getByRole('figure', { name: 'Result of edit' }).getByText('quick').waitFor();
  await results.locator('figure canvas').first().waitFor();
  expect(await results.getByRole('figure').count()).toBe(2);
  expect(await results.getByRole('listitem').count()).toBeGreaterThanOrEqual(4);
  expect(await results.getByText('get_weather').count()).toBe(0);
  await results.getByRole('button', { name: /^bash/ }).click();
  await results.getByRole('figure', { name: 'Result of bash' }).waitFor();
  // What the answer names leads to its call.
  await page.locator('main .markdown').getByRole('button', { name: 'README.md' }).click();
  await flow.locator('article.selected').getByText('old_string').first().waitFor();
  expect(await faults(page)).toEqual([]);
  const small = await opened(events, phone);
  await small.page.getByRole('figure', { name: 'Result of edit' }).waitFor();
  expect(await faults(small.page)).toEqual([]);
  expect([...visit.trouble, ...small.trouble]).toEqual([]);
});

it('shows calls of one tool in a row as one, opened on demand', async () => {
  const failing: MadeCall = { tool: 'show', args: { path: 'gone.rs' }, status: 'error' };
  const events = made({ run: 'run_many', rounds: [[...shows, failing, sample('weather')]] });
  const visit = await opened(events);
  const { page, flow } = visit;
  const main = page.locator('main');
  const chip = main.getByRole('button', { name: 'show ×31 1 failed' });
  await chip.waitFor();
  expect(await main.getByRole('button', { name: /^show ?, ok/ }).count()).toBe(0);
  const card = flow.getByRole('button', { name: /^show ×31 1 failed/ });
  expect(await flow.locator('article.card').count()).toBe(1);
  // Opened among the cards: the cards are there.
  await card.click();
  expect(await flow.locator('article.card').count()).toBe(32);
  await card.click();
  await expect.poll(() => flow.locator('article.card').count()).toBe(1);
  // Opened among the chips, one leads to its card, which is shown.
  await chip.click();
  await main.getByRole('button', { name: /^show ?, ok src\/part_7\.rs/ }).click();
  await flow.locator('article.selected').waitFor();
  expect(await card.getAttribute('aria-expanded')).toBe('true');
  expect(await faults(page)).toEqual([]);
  expect(visit.trouble).toEqual([]);
});

it('has a Flow as wide as wanted, up to all of the page, with a time that can be looked into', async () => {
  const events = made({ run: 'run_trace', rounds: [shows, [sample('weather')]] });
  const visit = await opened(events);
  const { page, flow } = visit;
  const divider = page.getByRole('separator', { name: 'Width of the Execution Flow' });
  const width = () => flow.evaluate((it) => Math.round(it.getBoundingClientRect().width));
  await divider.focus();
  expect(await width()).toBe(400);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(width).toBe(432);
  await expect.poll(() => divider.getAttribute('aria-valuenow')).toBe('432');
  // However wide it is, the chat can be read.
  await page.keyboard.press('End');
  await expect.poll(width).toBeGreaterThan(600);
  const chat = page.locator('main.chat');
  expect(await chat.evaluate((it) => it.getBoundingClientRect().width)).toBeGreaterThanOrEqual(360);
  // Pulled, it follows; what was chosen is kept.
  const box = await divider.boundingBox();
  if (!box) throw new Error('there is no divider');
  await page.mouse.move(box.x + 4, 300);
  await page.mouse.down();
  await page.mouse.move(900, 300);
  await page.mouse.up();
  await expect.poll(width).toBe(540);
  await page.reload();
  await expect.poll(width).toBe(540);
  await page.locator('input[type=file][accept*=json]').first().setInputFiles(asFile(events));
  const full = flow.getByRole('button', { name: 'Full width' });
  await full.waitFor();

  // All of the page: the lanes beside the steps.
  await full.click();
  await expect.poll(() => page.locator('main.chat').isVisible()).toBe(false);
  await expect.poll(width).toBeGreaterThan(1_000);
  const trace = flow.getByRole('region', { name: 'Where the time went' });
  const lanes = trace.getByRole('listitem').getByRole('button');
  await lanes.filter({ hasText: 'show ×30' }).waitFor();
  expect(await lanes.count()).toBe(5);
  expect(await faults(page)).toEqual([]);

  // Zoomed with keys and with the wheel, and back.
  const axis = () => trace.locator('.axis').innerText();
  const all = await axis();
  const out = trace.getByRole('button', { name: 'Zoom out' });
  await trace.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(axis).not.toBe(all);
  expect(await out.isEnabled()).toBe(true);
  await page.keyboard.press('0');
  await expect.poll(axis).toBe(all);
  await lanes.first().hover();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  await expect.poll(axis).not.toBe(all);
  // Pulled, it moves, and what it was pulled at is not chosen.
  const zoomed = await axis();
  const lane = await lanes.nth(1).boundingBox();
  if (!lane) throw new Error('there is no lane');
  await page.mouse.move(lane.x + 300, lane.y + 10);
  await page.mouse.down();
  await page.mouse.move(lane.x + 150, lane.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect.poll(axis).not.toBe(zoomed);
  expect(await flow.locator('article.selected').count()).toBe(0);
  await lanes.first().dblclick();
  await expect.poll(axis).toBe(all);

  // A group that is opened among the lanes is open among the cards.
  await lanes.filter({ hasText: 'show ×30' }).click();
  await expect.poll(() => flow.locator('article.card').count()).toBe(31);
  await flow.getByRole('button', { name: 'Show the chat beside it' }).click();
  await page.locator('main.chat').waitFor();
  expect(visit.trouble).toEqual([]);
});

it('draws of two thousand calls those lanes that are in sight', async () => {
  const calls = Array.from({ length: 2_000 }, (_, at): MadeCall => ({ tool: `tool_${at % 7}` }));
  const visit = await opened(made({ run: 'run_huge', rounds: [calls] }));
  const { flow } = visit;
  const trace = flow.getByRole('region', { name: 'Where the time went' });
  const lanes = trace.getByRole('listitem').getByRole('button');
  await lanes.first().waitFor();
  expect(await lanes.count()).toBeLessThan(60);
  // Of cards and chips, those that fit; the others are asked for, or led to.
  expect(await flow.locator('article.card').count()).toBe(60);
  await flow.getByRole('button', { name: 'Show 1,940 more calls' }).waitFor();
  await visit.page.locator('main').getByRole('button', { name: '1,940 more calls' }).waitFor();
  await trace.locator('.lanes').evaluate((it) => it.scrollTo({ top: it.scrollHeight }));
  await trace.locator('[aria-posinset="2001"]').getByRole('button').click();
  await flow.locator('article.selected').waitFor();
  expect(await flow.locator('article.card').count()).toBe(61);
  expect(await lanes.count()).toBeLessThan(60);
  expect(visit.trouble).toEqual([]);
});
