import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { App, type Visit } from './app';
import { Scripted, type Message } from './scripted';

/** Where somebody wants to look at what the card looks like. */
const pictures = process.env.TOOLWRIGHT_PICTURES;

let app: App;
let model: Scripted;
let folder: string;
let call = { name: 'bash', args: {} as unknown };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-folder-'));
  model = await Scripted.start((messages: Message[]) =>
    messages.at(-1)?.role === 'user' ? { calls: [call] } : { text: 'Done.' },
  );
  app = await App.start({ model, workspace: folder });
});
afterAll(async () => {
  await app.stop();
  await model.stop();
  await rm(folder, { recursive: true, force: true });
});

async function proposed(name: string, args: unknown, dark = false): Promise<Visit> {
  call = { name, args };
  const visit = await app.open({ colorScheme: dark ? 'dark' : 'light' });
  await visit.ask('Do it');
  await visit.page.getByRole('button', { name: 'Look and decide' }).click();
  await visit.flow.getByText(`May ${name} do this?`).waitFor();
  return visit;
}

const decision = (visit: Visit) => visit.flow.getByRole('group', { name: /^Your decision/ });
const allow = (visit: Visit) => visit.flow.getByRole('button', { name: 'Allow once' });

/** Whether the end of what is decided about is within its frame and the page's width. */
async function reaches(visit: Visit, words: string): Promise<boolean> {
  const place = decision(visit).getByText(words).last();
  await place.scrollIntoViewIfNeeded();
  return place.evaluate((element) => {
    const box = element.getBoundingClientRect();
    for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
      if (up.scrollWidth > up.clientWidth + 1 && getComputedStyle(up).overflowX !== 'visible') {
        return false;
      }
    }
    return box.right <= innerWidth + 1;
  });
}

describe.each([false, true])('dark: %s', (dark) => {
  it('names characters that cannot be seen', async () => {
    const blanks = ['2028', '2029', '2800', 'FE0F', '13430', '200C', '200D', '00A0', '200B'];
    const each = blanks.map((code) => String.fromCodePoint(parseInt(code, 16))).join('x');
    const command = `echo "\u202egnp.\u2066exe" # \u{e0041}\u{e0042} \x1b[8mhidden 👩${each}`;
    const visit = await proposed('bash', { command }, dark);
    const told = await decision(visit).innerText();
    for (const code of ['202E', '2066', ...blanks]) expect(told).toContain(`⟦U+${code}⟧`);
    for (const name of ['⟦2 invisible characters⟧', '␛[8m']) expect(told).toContain(name);
    expect(told).not.toMatch(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\u2800\x1b]/u);
    if (pictures) await visit.page.screenshot({ path: join(pictures, `hidden-${dark}.png`) });
    await visit.flow.getByRole('button', { name: 'Edit', exact: true }).click();
    const edited = await visit.flow.getByRole('textbox', { name: 'Arguments' }).inputValue();
    expect(edited).toContain('\\u202e');
    expect((JSON.parse(edited) as { command: string }).command).toBe(command);
  });

  it('leaves no tail out of sight', async () => {
    const visit = await proposed('bash', { command: `ls${' '.repeat(2_000)}; touch tail` }, dark);
    expect(await decision(visit).innerText()).toContain('⟦2,000 spaces⟧');
    expect(await reaches(visit, '; touch tail')).toBe(true);
    expect(await allow(visit).isEnabled()).toBe(true);
  });

  it('asks to look at all of what is long', async () => {
    const command = `cat <<END\n${'a line\n'.repeat(300)}END\ntouch tail`;
    const visit = await proposed('bash', { command }, dark);
    expect(await allow(visit).isDisabled()).toBe(true);
    await visit.flow.getByText('There is more than fits here: 303 lines').waitFor();
    if (pictures) await visit.page.screenshot({ path: join(pictures, `long-${dark}.png`) });
    await visit.flow.getByRole('button', { name: 'Show all of it' }).click();
    expect(await reaches(visit, 'touch tail')).toBe(true);
    expect(await allow(visit).isEnabled()).toBe(true);
  });
});

it('shows long lines of a change to their end', async () => {
  const content = `${'x'.repeat(900)} tail-of-line\n\u202enext\n`;
  const visit = await proposed('write', { file_path: 'a.txt', content });
  expect(await reaches(visit, 'tail-of-line')).toBe(true);
  expect(await decision(visit).innerText()).toContain('⟦U+202E⟧next');
  expect(visit.trouble).toEqual([]);
});

it.each([
  ['a difference', 2_500, /There is more than fits here:\s+2,50\d lines/],
  ['arguments, where no difference is shown', 21_000, /There is more than fits here:\s+4 lines/],
])('shows all of a very long change as %s', async (_, lines, more) => {
  const content = `${'a line\n'.repeat(lines)}tail-of-file\n`;
  const visit = await proposed('write', { file_path: 'long.txt', content });
  await visit.flow.getByText(more).waitFor();
  expect(await allow(visit).isDisabled()).toBe(true);
  expect(await decision(visit).innerText()).not.toContain('tail-of-file');
  await visit.flow.getByRole('button', { name: 'Show all of it' }).click();
  expect(await decision(visit).innerText()).toContain('tail-of-file');
  expect(await decision(visit).innerText()).not.toContain('left out');
  expect(await allow(visit).isEnabled()).toBe(true);
});

it('signs out for good', async () => {
  const { page } = await app.open();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  const out = page.getByRole('heading', { name: 'This browser needs a new link' });
  await out.waitFor();
  expect(await page.evaluate(() => localStorage.getItem('toolwright-key'))).toBeNull();
  expect((await page.goto(app.origin))?.status()).toBe(401);
});

it('keeps its key from the address, and is nobody without it', async () => {
  const { page } = await app.open();
  expect(page.url()).toBe(`${app.origin}/`);
  await page.reload();
  await page.getByRole('textbox', { name: 'Your question' }).waitFor();
  // What whoever listens at another port of this machine is sent: the cookie, and no more.
  const asked = (init: object) =>
    page.evaluate(async (it) => (await fetch('/api/info', it)).status, init);
  expect(await asked({})).toBe(401);
  const key = await page.evaluate(() => localStorage.getItem('toolwright-key'));
  expect(await asked({ headers: { 'x-toolwright-key': key } })).toBe(200);
});
