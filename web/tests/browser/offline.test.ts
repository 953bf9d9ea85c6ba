import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { App, type Visit } from './app';

const PATIENCE = 240_000;

let app: App;
let folder: string;
let visit: Visit;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-work-'));
  await writeFile(join(folder, 'README.md'), '# Kites\n\nHow to fly them.\n');
  app = await App.start({ model: 'offline', workspace: folder, task: 'general' });
  visit = await app.open();
  // However busy the machine is: the first question waits for the weights.
  visit.page.context().setDefaultTimeout(PATIENCE);
}, 600_000);

afterAll(async () => {
  await app.stop();
  await rm(folder, { recursive: true, force: true });
});

// Nothing was ever asked here: what follows is read from the first token on, or was since the server started.
it('says what answers', async () => {
  await visit.page.getByText('the offline model', { exact: false }).first().waitFor();
});

/** What a newcomer asks, the tools that answer it, and what the answer says. */
const questions: [string, string[], RegExp][] = [
  [
    "What's the current price of NIFTY?",
    ['search_instruments', 'get_market_quote'],
    /NIFTY[^]*Simulated data/i,
  ],
  ['What videos have I watched recently?', ['get_recent_videos'], /watched 10 videos/],
  ['Find me Python tutorials from last month', ['search_videos_by_topic'], /video/],
  ['Show me README.md', ['show'], /Kites/],
  [
    "What's the weather in San Francisco and a 20% tip on $45.60?",
    ['get_weather', 'calculate_tip'],
    /72°F[^]*54\.72/,
  ],
  ['Thanks!', [], /\w/],
];

async function isAnswered([question, tools, said]: (typeof questions)[number]): Promise<void> {
  await visit.page.getByRole('button', { name: 'New chat' }).first().click();
  await visit.ask(question);
  expect(await visit.answer()).toMatch(said);
  for (const tool of tools) await visit.chip(tool, 'ok').first().waitFor();
  if (tools.length === 0) expect(await visit.flow.getByText(/^Round \d+ of/).count()).toBe(0);
  await visit.flow.getByText('Answered').first().waitFor();
  expect(visit.trouble).toEqual([]);
  expect(visit.foreign).toEqual([]);
}

it.each(questions)('%s', async (...question) => isAnswered(question), 2 * PATIENCE);

it(
  'says the same from what the server before it had read',
  async () => {
    await expect
      .poll(async () => (await readdir(app.prefixes)).filter((it) => it.endsWith('.kv')).length, {
        timeout: PATIENCE,
      })
      .toBeGreaterThan(0);
    await app.halt();
    await app.restart();
    await visit.page.reload();
    await visit.question.waitFor();
    await isAnswered(questions[0]!);
  },
  3 * PATIENCE,
);
