import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Event } from '../../src/events/types';
import { sample } from '../logs/made';
import { log } from '../logs/read';
import { App } from './app';

const TURNS = 80;

/** A conversation of many runs like one that happened; `tall`: with a chart in each, which no text is as high as. */
function conversation(tall = false): string {
  const { data } = sample('candles-daily');
  const events: Event[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const event of log('parallel')) {
      const text = `Answer ${turn}.\n\n${'It goes on for a while. '.repeat(40)}\n\n- **one**\n- two`;
      const own = { ...structuredClone(event), run: `run_${turn}` };
      if (own.type === 'message' && own.message.role === 'user') {
        own.message.content = `Question ${turn}`;
      }
      if (own.type === 'reply' && own.finish === 'stop') own.message.content = text;
      if (tall && own.type === 'call_finished' && own.tool === 'get_weather') {
        own.message = { ...own.message, content: 'See there.', data } as typeof own.message;
      }
      if (own.type === 'done') own.response = text;
      events.push(own);
    }
  }
  return JSON.stringify({ toolwright: 2, events });
}

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.stop());

it('draws the turns that are looked at, and finds the text of all', async () => {
  const visit = await app.open();
  const { page } = visit;
  const buffer = Buffer.from(conversation());
  await page
    .locator('input[type=file][accept*=json]')
    .first()
    .setInputFiles({ name: 'long.json', mimeType: 'application/json', buffer });
  const log = page.getByRole('region', { name: 'Messages' });
  const turns = log.locator('article');
  const drawn = log.locator('article:has(.markdown)');
  const first = turns.first();
  await expect.poll(() => turns.count(), { timeout: 30_000 }).toBe(TURNS);
  // Opened at its end, with most of it as text only.
  await turns.last().getByRole('button', { name: 'Copy answer' }).waitFor();
  const end = () => log.evaluate((it) => it.scrollHeight - it.scrollTop - it.clientHeight);
  await expect.poll(end, { timeout: 30_000 }).toBeLessThan(4);
  expect(await drawn.count()).toBeLessThan(TURNS / 2);
  expect(await first.locator('.markdown').count()).toBe(0);
  expect(await first.textContent()).toContain('Answer 0.');

  // Searching the page goes there, and what is there is drawn.
  const found = await page.evaluate(() =>
    (window as unknown as { find(text: string): boolean }).find('Question 7'),
  );
  expect(found).toBe(true);
  await log.evaluate((it) => it.scrollTo({ top: 0 }));
  await first.locator('.markdown li').first().waitFor();
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect.poll(end, { timeout: 30_000 }).toBeLessThan(4);
  expect(visit.trouble).toEqual([]);
});

it('moves nothing that is read while turns above are drawn', async () => {
  const visit = await app.open();
  const { page } = visit;
  const buffer = Buffer.from(conversation());
  await page
    .locator('input[type=file][accept*=json]')
    .first()
    .setInputFiles({ name: 'long.json', mimeType: 'application/json', buffer });
  const log = page.getByRole('region', { name: 'Messages' });
  const turns = log.locator('article');
  await turns.last().getByRole('button', { name: 'Copy answer' }).waitFor();
  const middle = turns.nth(40);
  const top = () => middle.evaluate((it) => Math.round(it.getBoundingClientRect().top));
  /** Where it is once nothing moves it any more. */
  const rests = async () => {
    let last = NaN;
    const isSame = async () => last === (last = await top());
    await expect.poll(isSame, { interval: 250, timeout: 30_000 }).toBe(true);
    return last;
  };
  const isDrawn = (index: number) => turns.nth(index).locator('.markdown').first().waitFor();
  await middle.evaluate((it) => it.scrollIntoView({ block: 'start' }));
  await Promise.all([38, 39, 40, 41].map(isDrawn));
  await middle.evaluate((it) => it.scrollIntoView({ block: 'start' }));
  const before = await rests();
  await log.evaluate((it) => it.scrollBy(0, -600));
  await Promise.all([38, 37].map(isDrawn));
  expect(Math.abs((await rests()) - before - 600)).toBeLessThan(8);
});

it('lands exactly where a link leads, whatever is drawn above it', async () => {
  const visit = await app.open();
  const { page } = visit;
  const buffer = Buffer.from(conversation(true));
  await page
    .locator('input[type=file][accept*=json]')
    .first()
    .setInputFiles({ name: 'long.json', mimeType: 'application/json', buffer });
  await page.getByRole('button', { name: 'Add to conversations' }).click();
  await page.waitForURL((url) => url.hash.startsWith('#conv_'));
  const log = page.getByRole('region', { name: 'Messages' });
  const turns = log.locator('article');
  await turns.last().getByRole('button', { name: 'Copy answer' }).waitFor();
  const { hash } = new URL(page.url());
  // From the end into what was never drawn, and from there to elsewhere.
  for (const index of [40, 7, 61]) {
    await page.evaluate((to) => void (location.hash = to), `${hash}/run_${index}`);
    const isDrawn = (at: number) => turns.nth(at).locator('canvas').first().waitFor();
    await Promise.all([index - 1, index, index + 1].map(isDrawn));
    const away = () =>
      turns.nth(index).evaluate((it) => {
        const box = it.closest('[role=region]')?.getBoundingClientRect().top ?? NaN;
        return Math.round(it.getBoundingClientRect().top - box);
      });
    /** Where it is once nothing moves it any more. */
    let last = NaN;
    const isSame = async () => last === (last = await away());
    await expect.poll(isSame, { interval: 250, timeout: 30_000 }).toBe(true);
    expect(Math.abs(last)).toBeLessThan(4);
  }
  // Who goes on by themselves is not held back.
  const last = turns.nth(61);
  const before = await last.evaluate((it) => it.getBoundingClientRect().top);
  await log.hover();
  await page.mouse.wheel(0, 400);
  await expect
    .poll(() => last.evaluate((it) => it.getBoundingClientRect().top))
    .toBeLessThan(before - 100);
  expect(visit.trouble).toEqual([]);
});
