import { chmod, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { App } from './app';
import { faults } from './faults';
import { Scripted } from './scripted';

let app: App;
let model: Scripted;
/** A folder that everybody may read: a program in a sandbox is somebody else. */
let folder: string;
let script: string;
let added = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-mcp-'));
  script = join(folder, 'server.py');
  await copyFile(
    join(import.meta.dirname, '../../../crates/mcp/tests/it/client/server.py'),
    script,
  );
  await chmod(folder, 0o755);
  await chmod(script, 0o644);
  const config = join(folder, 'toolwright.toml');
  await writeFile(config, '');
  model = await Scripted.start((messages) => {
    const last = messages.at(-1);
    if (last?.role !== 'tool')
      return { calls: [{ name: 'get_weather', args: { city: 'Berlin' } }] };
    return { text: last.content?.includes('switched') ? 'I may not look.' : 'It is sunny.' };
  });
  app = await App.start({ model, task: 'demo', config });
});
afterAll(async () => {
  await app.stop();
  await model.stop();
  await rm(folder, { recursive: true, force: true });
});

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.each([
  ['at a desk', {}],
  ['in the dark', { colorScheme: 'dark' as const }],
  ['on a phone', phone],
])('%s', (_, options) => {
  it('switches tools off for a chat, and says the same number everywhere', async () => {
    const visit = await app.open(options);
    const { page } = visit;
    const count = page.locator('.composer').getByRole('button', { name: /^(\d+ of )?\d+ tools$/ });
    const all = Number.parseInt((await count.getAttribute('aria-label')) ?? '', 10);
    await count.click();
    const dialog = page.getByRole('dialog', { name: 'Tools' });
    await dialog.getByText(`${all} tools`, { exact: true }).waitFor();
    await dialog.getByRole('switch', { name: 'Use get_weather in this chat' }).click();
    await dialog.getByText(`${all - 1} of ${all} tools are on in this chat`).waitFor();
    expect(await faults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await count.getAttribute('aria-label')).toBe(`${all - 1} of ${all} tools`);
    await visit.ask('How is the weather in Berlin?');
    expect(await visit.answer()).toContain('I may not look.');
    // The conversation remembers it, and a new one has them all.
    await page.reload();
    await page
      .locator('.composer')
      .getByRole('button', { name: `${all - 1} of ${all} tools` })
      .click();
    await dialog.getByRole('switch', { name: 'Use get_weather in this chat' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await visit.ask('And now?');
    await page.getByText('It is sunny.').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      page.viewportSize()?.width ?? 0,
    );
    expect(visit.trouble).toEqual([]);
  });

  it('calls a tool by hand, with a form made from its schema', async () => {
    const visit = await app.open(options);
    const { page } = visit;
    await page
      .locator('.composer')
      .getByRole('button', { name: /tools$/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Tools' });
    const tool = dialog.locator('.tool', { hasText: 'calculate_tip' });
    await tool.locator('summary').first().click();
    await tool.getByText('Pack demo').waitFor();
    await tool.getByText(/^A call may take /).waitFor();
    await tool.getByRole('button', { name: 'Try it' }).click();
    const form = tool.getByRole('form', { name: 'Try calculate_tip' });
    await form.getByRole('button', { name: 'Call it' }).click();
    await form.getByText('This is missing: amount.').waitFor();
    await form.getByLabel('amount').fill('50');
    expect(await form.getByLabel('percentage').inputValue()).toBe('18');
    await form.getByLabel('percentage').fill('20');
    await form.getByRole('button', { name: 'Write JSON' }).click();
    const written = form.getByLabel('Arguments as JSON');
    expect(JSON.parse(await written.inputValue())).toEqual({ amount: 50, percentage: 20 });
    await form.getByRole('button', { name: 'Call it' }).click();
    await tool.locator('article.ok').waitFor();
    expect(await faults(page)).toEqual([]);
    await written.fill('{"amount": "much"}');
    await form.getByRole('button', { name: 'Call it' }).click();
    await tool
      .getByText(/invalid arguments/)
      .first()
      .waitFor();
    // It is kept as any other conversation.
    await tool.getByRole('button', { name: 'Open as a conversation' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: /^Call calculate_tip with/ }).waitFor();
    expect(visit.trouble).toEqual([]);
  });

  it('calls nothing with what cannot be read yet', async () => {
    const visit = await app.open(options);
    const { page } = visit;
    const parameters = {
      type: 'object',
      properties: {
        any: {},
        each: { type: 'array', items: {} },
        count: { type: 'integer' },
      },
    };
    await page.route('**/api/tools?*', async (route) => {
      const response = await route.fetch();
      const told = (await response.json()) as { tools: { name: string }[] };
      const tools = told.tools.map((it) =>
        it.name === 'calculate_tip' ? { ...it, parameters } : it,
      );
      await route.fulfill({ response, json: { ...told, tools } });
    });
    const called: unknown[] = [];
    await page.route('**/api/tools/calculate_tip/call*', async (route) => {
      called.push(route.request().postDataJSON());
      await route.abort();
    });
    await page
      .locator('.composer')
      .getByRole('button', { name: /tools$/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Tools' });
    const tool = dialog.locator('.tool', { hasText: 'calculate_tip' });
    await tool.locator('summary').first().click();
    await tool.getByRole('button', { name: 'Try it' }).click();
    const form = tool.getByRole('form', { name: 'Try calculate_tip' });
    const any = form.getByLabel(/^any/);
    await any.fill('{"a": 1}');
    await any.fill('{"a": 2,}');
    await form.getByText('This is no JSON yet.').waitFor();
    for (const button of ['Call it', 'Write JSON']) {
      await form.getByRole('button', { name: button }).click();
      await form.getByText('One of the fields cannot be read yet.').waitFor();
      expect(await any.inputValue()).toBe('{"a": 2,}');
    }
    await any.fill('{"a": 2}');
    await form.getByLabel(/^count/).fill('9007199254740993');
    await form.getByText('This number is too large to be sent as it is.').waitFor();
    expect(await faults(page)).toEqual([]);
    await form.getByRole('button', { name: 'Call it' }).click();
    await form.getByText('One of the fields cannot be read yet.').waitFor();
    await form.getByLabel(/^count/).fill('7');
    // What is written in a part of a list goes with that part.
    for (const number of [1, 2]) {
      await form.getByRole('button', { name: 'Add to each' }).click();
      await form.getByLabel(`each ${number}`, { exact: true }).fill(`{"n": ${number}}`);
    }
    await form.getByRole('button', { name: 'Remove each 1' }).click();
    expect(await form.getByLabel('each 1', { exact: true }).inputValue()).toBe('{"n": 2}');
    expect(called).toEqual([]);
    await form.getByRole('button', { name: 'Call it' }).click();
    await expect
      .poll(() => called)
      .toMatchObject([{ arguments: { any: { a: 2 }, each: [{ n: 2 }], count: 7 } }]);
  });

  it('asks before what cannot be taken back, called by hand or not', async () => {
    const visit = await app.open(options);
    const { page } = visit;
    await page
      .locator('.composer')
      .getByRole('button', { name: /tools$/ })
      .click();
    const tool = page.getByRole('dialog', { name: 'Tools' }).locator('.tool', {
      hasText: 'delete_notes',
    });
    await tool.locator('summary').first().click();
    await tool.getByText('You are asked before each call.').waitFor();
    await tool.getByRole('button', { name: 'Try it' }).click();
    await tool.getByText('It takes nothing.').waitFor();
    await tool.getByRole('button', { name: 'Call it' }).click();
    await tool.getByRole('button', { name: /^Allow once/ }).waitFor();
    expect(await faults(page)).toEqual([]);
    await tool.getByRole('button', { name: 'Deny', exact: true }).click();
    await tool.getByRole('button', { name: 'Deny this call' }).click();
    await tool
      .getByText(/denied/i)
      .first()
      .waitFor();
    expect(visit.trouble).toEqual([]);
  });

  it('adds an MCP server, shows what it offers, approves that and removes it', async () => {
    const name = `fake${added++}`;
    const visit = await app.open(options);
    const { page } = visit;
    await page
      .locator('.composer')
      .getByRole('button', { name: /tools$/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Tools' });
    await dialog.getByRole('tab', { name: 'MCP servers' }).click();
    await dialog.getByRole('button', { name: 'Add an MCP server' }).click();
    const form = dialog.getByRole('form', { name: 'Add an MCP server' });
    await form.getByText(/starts this program on the machine/).waitFor();
    expect(await faults(page)).toEqual([]);
    await form.getByLabel('Name', { exact: true }).fill('not a name');
    await form.getByLabel('Command').fill(`/usr/bin/python3 '${script}'`);
    await form.getByLabel(/^Folders it may read/).fill(dirname(script));
    await form.getByRole('button', { name: 'Add it' }).click();
    await form.getByRole('alert').waitFor();
    await form.getByLabel('Name', { exact: true }).fill(name);
    await form.getByRole('button', { name: 'Add it' }).click();
    const server = dialog.getByRole('region', { name, exact: true });
    // A program is started, on a machine that may be busy.
    await server.getByText(/^0 of \d+ tools approved$/).waitFor({ timeout: 40_000 });
    await server.getByText('Says it back.').first().waitFor({ timeout: 40_000 });
    expect(await faults(page)).toEqual([]);
    await server.getByRole('button', { name: /^Approve \d+ tools as shown$/ }).click();
    await server.getByText(/^\d+ tools$/).waitFor();
    await dialog.getByRole('tab', { name: 'All tools' }).click();
    await dialog.getByRole('combobox', { name: /^Task/ }).selectOption({ label: 'Everything' });
    const tools = dialog.getByRole('region', { name: `MCP server ${name}` });
    await tools.getByText(`${name}__echo`, { exact: true }).waitFor();
    await dialog.getByRole('tab', { name: 'MCP servers' }).click();
    await server.getByRole('button', { name: `Look at ${name}` }).click();
    await server.getByRole('button', { name: `Remove ${name}` }).click();
    await server.getByRole('button', { name: 'Remove it' }).click();
    await server.waitFor({ state: 'detached' });
    expect(visit.trouble).toEqual([]);
  });

  it('shows rules, skills and tasks, and lets one be chosen', async () => {
    const visit = await app.open(options);
    const { page } = visit;
    await page
      .locator('.composer')
      .getByRole('button', { name: /tools$/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Tools' });
    await dialog.getByRole('tab', { name: 'Rules' }).click();
    await dialog.getByText('Nothing. What you allow with “Always” is listed here.').waitFor();
    expect(await faults(page)).toEqual([]);
    await dialog.getByRole('tab', { name: 'Skills' }).click();
    await dialog.getByRole('region', { name: 'Slash commands' }).waitFor();
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press('ArrowRight');
    await dialog
      .getByRole('region', { name: 'Everything' })
      .getByText('Comes with Toolwright')
      .waitFor();
    expect(await faults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Choose Everything' }).click();
    await dialog.getByRole('region', { name: 'Everything' }).getByText('Chosen').waitFor();
    expect(visit.trouble).toEqual([]);
  });
});
