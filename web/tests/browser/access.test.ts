import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { App } from './app';
import { faults } from './faults';
import { gate, Scripted, type Message } from './scripted';

const rich = [
  '# Prices',
  'See `bash` and [a page](https://example.org).',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  `| ${'wide | '.repeat(30)}\n|${'---|'.repeat(30)}\n| ${'12,345.67 | '.repeat(30)}`,
  '```rust\n// a comment\nfn main() { let x = "text"; print(1); }\n```',
].join('\n\n');

let app: App;
let model: Scripted;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-folder-'));
  await writeFile(join(folder, 'a.txt'), 'one\n');
  model = await Scripted.start((messages: Message[], asked: number) => {
    const question = messages.findLast((it) => it.role === 'user')?.content ?? '';
    if (question.includes('write') && messages.at(-1)?.role === 'user') {
      return { calls: [{ name: 'write', args: { file_path: `${asked}.txt`, content: 'two\n' } }] };
    }
    return question.includes('fail') ? { status: 400 } : { text: rich };
  });
  app = await App.start({ model, workspace: folder });
});
afterAll(async () => {
  await app.stop();
  await model.stop();
  await rm(folder, { recursive: true, force: true });
});

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it('keeps nobody out', async () => {
    const visit = await app.open({ colorScheme });
    const { page, flow } = visit;
    await page.getByRole('button', { name: 'New chat' }).waitFor();
    expect(await faults(page)).toEqual([]);

    await visit.ask('Say something');
    await visit.answer();
    expect(await faults(page)).toEqual([]);

    await visit.ask('write a file');
    await page.getByRole('button', { name: 'Look and decide' }).click();
    await flow.getByRole('button', { name: 'Allow once' }).waitFor();
    expect(await faults(page)).toEqual([]);
    await flow.getByRole('button', { name: 'Allow once' }).click();
    await visit.chip('write', 'ok').waitFor();
    expect(await faults(page)).toEqual([]);

    await visit.ask('fail now');
    await page.getByRole('button', { name: 'Regenerate' }).last().waitFor();
    expect(await faults(page)).toEqual([]);

    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await faults(page)).toEqual([]);
  });

  it('fits a phone', async () => {
    const visit = await app.open({
      colorScheme,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const { page, flow } = visit;
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await width()).toBeLessThanOrEqual(390);
    expect(await faults(page)).toEqual([]);
    await visit.ask('Say something');
    await visit.answer();
    expect(await width()).toBeLessThanOrEqual(390);
    expect(await faults(page)).toEqual([]);
    await page.locator('.tabs').getByRole('button', { name: 'Flow' }).click();
    await flow.getByRole('heading', { name: 'Answered' }).waitFor();
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await visit.ask('write a file with a_very_long_name_'.repeat(6));
    await page.getByRole('button', { name: 'Look and decide' }).click();
    await flow.getByRole('button', { name: 'Allow once' }).waitFor();
    expect(await width()).toBeLessThanOrEqual(390);
    expect(await faults(page)).toEqual([]);
    await flow.getByRole('button', { name: 'Allow once' }).click();
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await visit.answer();
    expect(await width()).toBeLessThanOrEqual(390);
    await page.getByRole('button', { name: 'Conversations', exact: true }).click();
    await page.getByRole('searchbox').waitFor();
    expect(await width()).toBeLessThanOrEqual(390);
    expect(await faults(page)).toEqual([]);
  });
});

describe('with keys alone', () => {
  it('asks, stops, asks again and searches', async () => {
    const { page } = await app.open();
    const half = gate();
    const script = model.script;
    const field = page.getByRole('textbox', { name: 'Your question' });
    await page.keyboard.press('/');
    expect(await field.evaluate((it) => it === document.activeElement)).toBe(true);
    model.script = () => ({ text: ['Long story'], hold: half.opened });
    await page.keyboard.type('Tell me');
    await page.keyboard.press('Enter');
    await page.getByText('Long story').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Stopped.').waitFor();
    half.open();
    model.script = script;

    await page.keyboard.press('ArrowUp');
    expect(await field.inputValue()).toBe('Tell me');
    await page.getByText('in the place of the earlier question', { exact: false }).waitFor();
    await page.keyboard.type(' more');
    await page.keyboard.press('Enter');
    await page.getByText('Tell me more').first().waitFor();

    await page.keyboard.press('Control+k');
    const search = page.getByRole('searchbox', { name: 'Search conversations' });
    expect(await search.evaluate((it) => it === document.activeElement)).toBe(true);
  });

  it('says whole sentences to those who listen', async () => {
    const half = gate();
    const script = model.script;
    const visit = await app.open();
    model.script = () => ({ text: ['One sentence. ', 'Half a'], hold: half.opened });
    await visit.ask('Talk');
    const spoken = visit.page.getByRole('log', { name: 'What happens' });
    await spoken.getByText('One sentence.').waitFor({ state: 'attached' });
    expect(await spoken.innerText()).not.toContain('Half');
    half.open();
    model.script = script;
    await spoken.getByText('Answered', { exact: false }).waitFor({ state: 'attached' });
    expect(await spoken.innerText()).toContain('Half a');
  });
});
