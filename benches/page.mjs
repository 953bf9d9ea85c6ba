#!/usr/bin/env node
// A long conversation in the page: how long it takes to open, and how it scrolls. See README.md.
//
//     node benches/page.mjs [PROGRAM]      # target/dist/toolwright unless told otherwise
//
// It needs the page's packages (`npm ci` in web/) and Chromium (or CHROMIUM).

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '..');
const { chromium } = createRequire(join(root, 'web/package.json'))('playwright-core');
const program = process.argv[2] ?? join(root, 'target/dist/toolwright');

/** Each turn is five messages and two calls. */
const TURNS = 1000;
const REPEATS = 5;

/** A conversation of runs like one that happened, with answers of several kinds. */
function conversation() {
  const log = readFileSync(join(root, 'web/tests/logs/parallel.jsonl'), 'utf8');
  const run = log.trim().split('\n').map((line) => JSON.parse(line));
  const kept = run.filter((it) => !['content', 'reasoning', 'call_delta'].includes(it.type));
  const answer = (turn) =>
    `It is **16 °C** in San Francisco (${turn}).\n\n| | amount |\n|---|---|\n| bill | $45.60 |\n| tip | $9.12 |\n\n` +
    '- fog until noon\n- sun from two o’clock\n\n```json\n{"tip": 9.12, "total": 54.72}\n```\n\n' +
    'The tip is a fifth of the bill, and the total what you pay. '.repeat(1 + (turn % 7));
  const events = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const event of structuredClone(kept)) {
      // Only the first run begins with the instructions.
      if (turn > 0 && event.type === 'message' && event.message.role === 'system') continue;
      event.run = `run_${String(turn).padStart(26, 'a').replaceAll(/[0189]/g, (it) => 'bcde'['0189'.indexOf(it)])}`;
      event.at += turn * 60_000;
      if (event.type === 'message' && event.message.role === 'user') {
        event.message.content = `Question ${turn}: what's the weather in San Francisco and a 20% tip on $45.60?`;
      }
      if (event.type === 'reply' && !event.message.tool_calls?.length) event.message.content = answer(turn);
      if (event.type === 'done') event.response = answer(turn);
      events.push(event);
    }
  }
  // Numbers within a run are dense.
  const next = new Map();
  for (const event of events) {
    event.seq = next.get(event.run) ?? 0;
    next.set(event.run, event.seq + 1);
  }
  return events;
}

function imported(data, events) {
  const file = join(data, 'long.jsonl');
  writeFileSync(file, events.map((it) => JSON.stringify(it)).join('\n') + '\n');
  const done = spawnSync(program, ['--data', data, 'conversations', 'import', file], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`the conversation could not be imported: ${done.stderr}`);
}

async function serve(data) {
  const env = { ...process.env, TOOLWRIGHT_MODEL: 'demo', TOOLWRIGHT_ALLOW_ROOT: 'true' };
  const options = ['--data', data, '--json', 'serve', '--addr', '127.0.0.1:0'];
  const server = spawn(program, options, { cwd: data, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const first = await new Promise((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
    createInterface({ input: server.stdout }).once('line', (line) => resolve(JSON.parse(line)));
  });
  return { server, origin: `http://${first.address}` };
}

/** A link that lets one browser in. Asked without `fetch`, whose headers say that a page asks. */
function link(origin) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const asking = request(`${origin}/api/launch`, { method: 'POST', headers }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve(JSON.parse(text).url);
    });
    asking.on('error', reject);
    asking.end('{}');
  });
}

/** From the press on its title until the last answer is there and in sight. */
async function opened(page, title) {
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByRole('textbox', { name: 'Your question' }).waitFor();
  return page.evaluate(async (title) => {
    const entry = [...document.querySelectorAll('.list button')].find((it) => it.textContent?.includes(title));
    const began = performance.now();
    entry?.click();
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const last = document.querySelector('[aria-label="Messages"] article:last-child');
      const box = last?.closest('[aria-label="Messages"]');
      const isEnd = box && box.scrollHeight - box.scrollTop - box.clientHeight < 4;
      if (last?.textContent?.includes('(999)') && last.querySelector('table') && isEnd) break;
    }
    return performance.now() - began;
  }, title);
}

/** The times between frames while a reader goes up by so many pixels each. */
async function scrolled(page, pixels) {
  return page.evaluate(async (pixels) => {
    const box = document.querySelector('[aria-label="Messages"]');
    const frames = [];
    let before = await new Promise((resolve) => requestAnimationFrame(resolve));
    for (let frame = 0; frame < 300; frame += 1) {
      box.scrollBy(0, -pixels);
      const now = await new Promise((resolve) => requestAnimationFrame(resolve));
      frames.push(now - before);
      before = now;
    }
    return frames;
  }, pixels);
}

/** From the request for the page until one can write in it. */
async function interactive(page) {
  await page.reload();
  await page.getByRole('textbox', { name: 'Your question' }).waitFor();
  return page.evaluate(() => performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd);
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const ms = (number) => `${number.toFixed(number < 10 ? 1 : 0)} ms`;

function row(what, numbers, goal) {
  const sorted = [...numbers].sort((a, b) => a - b);
  console.log(`| ${what} | ${ms(at(sorted, 0.5))} | ${ms(at(sorted, 0.95))} | ${ms(sorted.at(-1))} | ${goal} |`);
}

const data = mkdtempSync(join(tmpdir(), 'toolwright-bench-'));
const events = conversation();
imported(data, events);
const { server, origin } = await serve(data);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(await link(origin));
  await page.getByText('Question 0', { exact: false }).first().waitFor();
  console.log(`${TURNS} turns, ${TURNS * 5} messages, ${TURNS * 2} calls, ${events.length} events\n`);
  console.log('| what | median | 95th | worst | goal |\n|---|---|---|---|---|');
  const starts = [];
  const opens = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) starts.push(await interactive(page));
  for (let repeat = 0; repeat < REPEATS; repeat += 1) opens.push(await opened(page, 'Question 0'));
  row('page interactive', starts, '≤ 250 ms');
  row('opens', opens, '≤ 500 ms');
  row('a frame, 40 px each (reading)', await scrolled(page, 40), '16.7 ms');
  row('a frame, 200 px each (skimming)', await scrolled(page, 200), '16.7 ms');
} finally {
  await browser.close();
  server.kill('SIGINT');
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(data, { recursive: true, force: true });
}
