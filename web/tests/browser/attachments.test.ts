import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { App, type Visit } from './app';
import { faults } from './faults';
import { png } from './png';
import { Scripted, type Message } from './scripted';

const picture = png(320, 200, [30, 95, 140]);
const chart = png(640, 360, [26, 110, 63]);

let app: App;
let model: Scripted;
let workspace: string;

/** What the last question is made of. */
function parts(messages: Message[]): { type: string }[] {
  const content: unknown = messages.findLast((it) => it.role === 'user')?.content;
  return Array.isArray(content) ? (content as { type: string }[]) : [];
}

beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'toolwright-pictures-'));
  await writeFile(join(workspace, 'chart.png'), chart);
  model = await Scripted.start((messages) => {
    const asked = JSON.stringify(messages.findLast((it) => it.role === 'user')?.content);
    const wants = asked.includes('chart.png') && messages.at(-1)?.role !== 'tool';
    if (wants && messages.every((it) => it.role !== 'tool')) {
      return { calls: [{ name: 'show', args: { file_path: 'chart.png' } }] };
    }
    const seen = parts(messages).filter((it) => it.type === 'image_url').length;
    return { text: `I see ${seen} of them.` };
  });
  app = await App.start({ model, workspace });
});
afterAll(async () => {
  await app.stop();
  await model.stop();
  await rm(workspace, { recursive: true });
});

interface Brought {
  name: string;
  type: string;
  bytes: Buffer;
}

/** Drops or pastes files, as the browser would. */
async function bring(page: Page, how: 'drop' | 'paste', target: string, files: Brought[]) {
  const sent = files.map(({ name, type, bytes }) => ({
    name,
    type,
    data: bytes.toString('base64'),
  }));
  await page.locator(target).evaluate(
    (element, { how, sent }) => {
      const data = new DataTransfer();
      for (const { name, type, data: text } of sent) {
        const bytes = Uint8Array.from(atob(text), (it) => it.charCodeAt(0));
        data.items.add(new File([bytes], name, { type }));
      }
      const common = { bubbles: true, cancelable: true };
      if (how === 'paste') {
        element.dispatchEvent(new ClipboardEvent('paste', { ...common, clipboardData: data }));
        return;
      }
      for (const type of ['dragenter', 'dragover', 'drop']) {
        element.dispatchEvent(new DragEvent(type, { ...common, dataTransfer: data }));
      }
    },
    { how, sent },
  );
}

/** Whether pictures are really drawn, each with its width. */
async function widths({ page }: Visit, where: string): Promise<number[]> {
  const all = page.locator(`${where} img`);
  await all.last().waitFor();
  return all.evaluateAll((found) =>
    Promise.all(
      found.map(async (it) => {
        const image = it as HTMLImageElement;
        await image.decode();
        return image.naturalWidth;
      }),
    ),
  );
}

const shot = async (page: Page, name: string) => {
  const folder = process.env.SHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
};

it('sends a picture that was dropped, and has it still after a reload', async () => {
  const visit = await app.open();
  const { page } = visit;
  await bring(page, 'drop', 'main h1', [{ name: 'bands.png', type: 'image/png', bytes: picture }]);
  await page.getByRole('button', { name: 'Remove bands.png' }).waitFor();
  expect(await widths(visit, 'form')).toEqual([320]);
  await shot(page, 'composer');
  await visit.ask('What is it?');
  expect(await visit.answer()).toBe('I see 1 of them.');
  expect(await widths(visit, 'main article')).toEqual([320]);
  expect(await page.locator('form img').count()).toBe(0);
  await shot(page, 'asked');
  await page.reload();
  await visit.answer();
  expect(await widths(visit, 'main article')).toEqual([320]);
  expect(await widths(visit, '.page > .flow header')).toEqual([320]);

  // Large, with the keyboard: the focus stays inside, and comes back.
  const small = page.locator('main').getByRole('button', { name: 'bands.png' });
  await small.focus();
  await page.keyboard.press('Enter');
  const large = page.getByRole('dialog', { name: 'bands.png' });
  await large.waitFor();
  await shot(page, 'lightbox');
  for (let press = 0; press < 5; press += 1) {
    await page.keyboard.press('Tab');
    const inside = await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement === document.body || activeElement?.closest('dialog') !== null;
    });
    expect(inside).toBe(true);
  }
  await page.keyboard.press('Escape');
  await large.waitFor({ state: 'detached' });
  expect(await small.evaluate((it) => it === document.activeElement)).toBe(true);

  // Changed and asked anew, it is in the field again.
  await page.getByRole('button', { name: 'Edit question' }).click();
  await page.getByRole('button', { name: 'Remove bands.png' }).waitFor();
  expect(await widths(visit, 'form')).toEqual([320]);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Remove bands.png' }).waitFor({ state: 'detached' });

  // Asked again, it goes along.
  await page.getByRole('button', { name: 'Regenerate' }).last().click();
  await expect.poll(() => model.requests.length).toBeGreaterThan(1);
  await visit.answer();
  expect(parts(model.requests.at(-1) ?? []).map((it) => it.type)).toEqual(['text', 'image_url']);
  expect(visit.foreign).toEqual([]);
  expect(visit.trouble).toEqual([]);
});

it('takes what is pasted or picked, and needs no words for it', async () => {
  const visit = await app.open({ colorScheme: 'dark' });
  const { page } = visit;
  await bring(page, 'paste', '#question', [{ name: 'a.png', type: 'image/png', bytes: picture }]);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (
    await chooser
  ).setFiles([
    { name: 'b.png', mimeType: 'image/png', buffer: chart },
    { name: 'notes.md', mimeType: '', buffer: Buffer.from('# Notes\n\nBMW rose.\n') },
  ]);
  await page.getByRole('button', { name: 'Remove notes.md' }).waitFor();
  await page.getByRole('button', { name: 'Remove a.png' }).click();
  expect(await widths(visit, 'form')).toEqual([640]);
  await shot(page, 'composer-dark');
  await page.getByRole('button', { name: 'Send' }).click();
  expect(await visit.answer()).toBe('I see 1 of them.');
  expect(JSON.stringify(model.requests.at(-1))).toContain('BMW rose.');
  await shot(page, 'asked-dark');

  const saved = page.waitForEvent('download');
  await page.locator('main').getByRole('button', { name: 'notes.md' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('notes.md');
  const stream = await download.createReadStream();
  let text = '';
  for await (const piece of stream) text += String(piece);
  expect(text).toBe('# Notes\n\nBMW rose.\n');
  expect(visit.trouble).toEqual([]);
});

it('says beforehand what the model does not take', async () => {
  const visit = await app.open();
  const { page } = visit;
  const asked = model.requests.length;
  const zip = Buffer.from('PK\x03\x04 a ZIP that says it is a picture', 'latin1');
  const wave = Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1');
  await bring(page, 'drop', 'main h1', [
    { name: 'picture.png', type: 'image/png', bytes: zip },
    { name: 'voice.ogg', type: 'audio/ogg', bytes: Buffer.from('OggS and more') },
    { name: 'empty.png', type: 'image/png', bytes: Buffer.alloc(0) },
    { name: 'sound.wav', type: 'audio/wav', bytes: wave },
  ]);
  await page.getByText('The model takes no ZIP archives.').waitFor();
  await page.getByText('empty.png is empty.').waitFor();
  await page.getByRole('textbox', { name: 'Your question' }).fill('What is it?');
  expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
  await page.keyboard.press('Enter');
  await shot(page, 'refused');
  const before = await page.locator('form li').count();
  await page.getByRole('button', { name: 'Remove picture.png' }).click();
  await expect.poll(() => page.locator('form li').count()).toBe(before - 1);
  expect(model.requests.length).toBe(asked);
  // Nor does what the server would refuse leave the page.
  await page.locator('main h1').evaluate((element) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array((20 << 20) + 1)], 'large.bin'));
    element.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
  });
  await page.getByText('large.bin has 20.1 MB, and a file may have 20.0 MB.').waitFor();
  // Eleven are one too many.
  const many = Array.from({ length: 11 }, (_, index) => ({
    name: `${index}.png`,
    type: 'image/png',
    bytes: picture,
  }));
  await bring(page, 'drop', 'main h1', many);
  await page.getByText('At most 10 files go with a question.').waitFor();
  expect(await page.locator('form li').count()).toBe(10);
});

it('shows a picture that a tool gave back, in the chat and in the flow', async () => {
  const visit = await app.open();
  const { page } = visit;
  await visit.ask('Show me chart.png');
  await visit.answer();
  expect(await widths(visit, 'main article')).toEqual([640]);
  await visit.chip('show', 'ok').click();
  expect(await widths(visit, '.page > .flow article')).toEqual([640]);
  await shot(page, 'tool');
  await page.reload();
  await visit.answer();
  expect(await widths(visit, 'main article')).toEqual([640]);

  // A file has it with it.
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export this conversation' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'JSON' }).click();
  const path = await (await saved).path();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open file…' }).click();
  await (await chooser).setFiles(path);
  await page.getByText('This is an opened file', { exact: false }).waitFor();
  expect(await widths(visit, 'main article')).toEqual([640]);
  expect(visit.foreign).toEqual([]);
  expect(visit.trouble).toEqual([]);
});

it('plays a sound', async () => {
  const visit = await app.open();
  const { page } = visit;
  const wave = Buffer.alloc(44 + 8_000);
  wave.write('RIFF');
  wave.writeUInt32LE(wave.length - 8, 4);
  wave.write('WAVEfmt ', 8);
  for (const [at, value] of [
    [16, 16],
    [24, 8_000],
    [28, 8_000],
    [40, 8_000],
  ] as const) {
    wave.writeUInt32LE(value, at);
  }
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const) {
    wave.writeUInt16LE(value, at);
  }
  wave.write('data', 36);
  const digest = createHash('sha256').update(wave).digest('hex');
  const attached = { digest, media_type: 'audio/wav', size: wave.length, name: 'beep.wav' };
  const limits = { rounds: 1, calls: 1 };
  const head = { run: 'run_1', round: 0, at: 1 };
  const events = [
    { ...head, seq: 0, type: 'run_started', version: 2, conversation_id: 'c', model: 'm', limits },
    {
      ...head,
      seq: 1,
      type: 'message',
      message: { role: 'user', content: 'Listen', attachments: [attached] },
    },
  ];
  const attachments = [{ type: 'attachment', digest, data: wave.toString('base64') }];
  const buffer = Buffer.from(JSON.stringify({ toolwright: 2, events, attachments }));
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open file…' }).click();
  await (await chooser).setFiles({ name: 'a.json', mimeType: 'application/json', buffer });
  const player = page.locator('main audio');
  await player.waitFor();
  expect(await player.getAttribute('aria-label')).toBe('beep.wav');
  await expect
    .poll(() => player.evaluate((it) => Math.round((it as HTMLAudioElement).duration)))
    .toBe(1);
  await shot(page, 'sound');
  expect(visit.trouble).toEqual([]);
});

it('fits a phone, and whoever cannot see', async () => {
  const visit = await app.open({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const { page } = visit;
  await bring(page, 'drop', 'main h1', [
    { name: 'a picture with quite a long name.png', type: 'image/png', bytes: picture },
    { name: 'table.csv', type: 'text/csv', bytes: Buffer.from('a,b\n1,2\n') },
  ]);
  await page.getByRole('button', { name: 'Remove table.csv' }).waitFor();
  await shot(page, 'phone-composer');
  await visit.ask('What is it?');
  await visit.answer();
  expect(await widths(visit, 'main article')).toEqual([320]);
  await shot(page, 'phone');
  const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(wider).toBe(false);
  expect(await faults(page)).toEqual([]);
});
