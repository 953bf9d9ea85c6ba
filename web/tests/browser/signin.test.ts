import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { App } from './app';
import { faults } from './faults';
import { Provider } from './provider';

const ann = { sub: '1', name: 'Ann', email: 'ann@example.com', email_verified: true };

let app: App;
let provider: Provider;
let folder: string;

beforeAll(async () => {
  provider = await Provider.start();
  folder = await mkdtemp(join(tmpdir(), 'toolwright-signin-'));
  const config = join(folder, 'toolwright.toml');
  await writeFile(
    config,
    `[server.identity.oidc]
issuer = "${provider.issuer}"
client_id = "desk"
name = "email"
label = "Example"
`,
  );
  app = await App.start({ config });
});
afterAll(async () => {
  await app.stop();
  await provider.stop();
  await rm(folder, { recursive: true, force: true });
});

it('signs people in and out, and shows each what is theirs', async () => {
  const visit = await app.stranger();
  const { page } = visit;
  await page.goto(app.origin);
  const button = page.getByRole('button', { name: 'Sign in with Example' });
  await page.getByRole('heading', { name: 'Sign in to Toolwright' }).waitFor();
  expect(await faults(page)).toEqual([]);

  // Whom the provider does not vouch for is told so.
  provider.claims = { ...ann, email_verified: false };
  await button.click();
  await page.getByRole('alert').filter({ hasText: 'may do nothing here' }).waitFor();
  expect(await faults(page)).toEqual([]);

  provider.claims = ann;
  await button.click();
  await visit.question.waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await visit.ask('A tip on $10?');
  await visit.answer();

  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Signed in as Ann').waitFor();
  await dialog.getByText('may ask and decide').waitFor();
  expect(await dialog.getByRole('heading', { name: 'Always allowed' }).count()).toBe(0);
  expect(await faults(page)).toEqual([]);

  // Who may do everything sees whose it is, and can look at one person's alone.
  const admin = await app.open();
  const entry = admin.page.locator('.list').getByRole('button', { name: /A tip on \$10/ });
  await entry.first().getByText('ann@example.com').waitFor();
  await admin.page.getByLabel('Whose conversations').selectOption('user:ann@example.com');
  await entry.first().waitFor();
  expect(await faults(admin.page)).toEqual([]);
  await admin.page.getByRole('button', { name: 'New chat' }).click();

  // Somebody else has nothing here, and is not led to it by its address.
  const address = page.url();
  provider.claims = { sub: '2', name: 'Bob', email: 'bob@example.com', email_verified: true };
  const other = await app.stranger();
  await other.page.goto(app.origin);
  await other.page.getByRole('button', { name: 'Sign in with Example' }).click();
  await other.question.waitFor();
  await other.page.getByText('No conversations yet.').waitFor();
  expect(address).toContain('#');

  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await button.waitFor();
  expect(visit.trouble).toEqual([]);
});

it('is a screen that a phone shows, in German, too', async () => {
  const { page } = await app.stranger({
    viewport: { width: 390, height: 844 },
    locale: 'de-DE',
    colorScheme: 'dark',
  });
  await page.goto(app.origin);
  await page.getByRole('heading', { name: 'Bei Toolwright anmelden' }).waitFor();
  await page.getByRole('button', { name: 'Anmelden mit Example' }).waitFor();
  expect(await faults(page)).toEqual([]);
});
