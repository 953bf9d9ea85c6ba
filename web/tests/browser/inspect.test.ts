import { afterAll, beforeAll, expect, it } from 'vitest';
import { App } from './app';
import { faults } from './faults';
import { Scripted } from './scripted';

let app: App;
let model: Scripted;
beforeAll(async () => {
  model = await Scripted.start((messages) =>
    messages.at(-1)?.role === 'user'
      ? { calls: [{ name: 'calculate_tip', args: { amount: 50, percentage: 20 } }] }
      : { text: 'The tip is $10.00.' },
  );
  app = await App.start({ model, task: 'demo' });
});
afterAll(async () => {
  await app.stop();
  await model.stop();
});

it('tells how full the window is, and what fills it', async () => {
  const visit = await app.open();
  const { page } = visit;
  const answers = page.getByRole('button', { name: 'Copy answer' });
  for (const [index, percent] of [20, 10, 15].entries()) {
    await visit.ask(`A tip of ${percent}% on 50?`);
    await answers.nth(index).waitFor();
  }
  await page
    .getByRole('button', { name: /^Context: <?\d+%, about [\d,]+ of [\d,]+ tokens$/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Context' });
  for (const part of ['Instructions', 'Tools', 'Messages', 'Results', 'Conversation']) {
    await dialog.getByText(part, { exact: true }).waitFor();
  }
  expect(await faults(page)).toEqual([]);

  // Asked for by hand, the older part is replaced with the next question, and only with that one.
  await dialog.getByRole('button', { name: 'Compact with the next question' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await visit.ask('And of 25%?');
  await answers.nth(3).waitFor();
  const sent = model.requests.at(-1) ?? [];
  expect(sent.some((it) => it.content?.startsWith('What happened so far'))).toBe(true);
  await visit.flow.getByText(/older messages were replaced by a digest/).waitFor();
  await page.getByRole('button', { name: /^Context/ }).click();
  await dialog.getByText(/That happened once/).waitFor();
  const again = dialog.getByRole('button', { name: 'Compact with the next question' });
  expect(await again.getAttribute('aria-pressed')).toBe('false');
  expect(visit.trouble).toEqual([]);
});

it('shows what a model was sent in a round, and what it replied', async () => {
  const visit = await app.open();
  const { page, flow } = visit;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit.ask('A tip of 20% on 50, again?');
  await visit.answer();
  await flow.getByRole('button', { name: 'Request and reply of round 2' }).click();
  const dialog = page.getByRole('dialog', { name: 'Round 2' });
  await dialog.getByText('tool, calculate_tip').waitFor();
  await dialog.getByText('The tip is $10.00.').waitFor();
  await dialog.getByRole('button', { name: /^As it is sent/ }).click();
  await dialog.getByText(/made again from the log/).waitFor();
  expect(await faults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Copy as curl' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  const json = command.slice(command.indexOf('\n{') + 1, command.lastIndexOf('END_OF_REQUEST'));
  // The very bytes that the model was sent.
  expect(json.trim()).toBe(model.bodies.at(-1));
  expect(visit.trouble).toEqual([]);
});

it('has links that lead to a call', async () => {
  const visit = await app.open();
  const { page, flow } = visit;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit.ask('The first tip?');
  await visit.answer();
  await visit.ask('The second tip?');
  await page.getByRole('button', { name: 'Copy answer' }).nth(1).waitFor();
  await visit.chip('calculate_tip', 'ok').first().click();
  const card = flow.locator('article.selected');
  await card.waitFor();
  await flow.getByText('Turn 1 of 2').waitFor();
  await flow.getByRole('button', { name: 'Copy a link to this' }).click();
  await flow.getByRole('button', { name: 'Copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/#conv_[^/]+\/run_[^/]+\/[^/]+$/);

  const other = await page.context().newPage();
  await other.goto(link);
  const there = other.getByRole('complementary', { name: 'Execution Flow' });
  await there.getByText('Turn 1 of 2').waitFor();
  await there.locator('article.selected').getByText('percentage').waitFor();
  // In the same page, too: another turn's link is followed.
  await other.goto(link.replace(/\/[^/]+$/, ''));
  await there.getByText('Turn 1 of 2').waitFor();
  expect(visit.trouble).toEqual([]);
});
