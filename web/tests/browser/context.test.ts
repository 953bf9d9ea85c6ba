import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { App, type Visit } from './app';
import { faults } from './faults';

let app: App;
let visit: Visit;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-project-'));
  await writeFile(join(folder, 'AGENTS.md'), 'Use tabs.');
  const skill = join(folder, '.agents/skills/release');
  await mkdir(skill, { recursive: true });
  await writeFile(join(skill, 'SKILL.md'), '---\ndescription: Makes a release.\n---\nTag it.');
  app = await App.start({ workspace: folder });
  visit = await app.open();
});
afterAll(async () => {
  await app.stop();
  await rm(folder, { recursive: true, force: true });
});

it('shows what a project would tell the model, and that nobody approved it', async () => {
  const { page } = visit;
  await page.getByText('What the project says').click();
  const list = page.locator('main dl').last();
  await list.getByText('AGENTS.md').waitFor();
  const text = await list.innerText();
  expect(text).toContain('release skill not approved');
  expect(text.match(/not approved/g)).toHaveLength(2);
  expect(await page.locator('main').innerText()).toContain('are not trusted and were ignored');
  expect(await faults(page)).toEqual([]);
  expect([...visit.trouble, ...visit.foreign]).toEqual([]);
});
