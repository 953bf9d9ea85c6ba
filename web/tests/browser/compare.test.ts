import { afterAll, beforeAll, expect, it } from 'vitest';
import { App } from './app';
import { faults } from './faults';
import { Scripted } from './scripted';

let app: App;
let model: Scripted;
beforeAll(async () => {
  model = await Scripted.start(() => ({ text: 'Nothing.' }));
  app = await App.start({ model, task: 'demo' });
});
afterAll(async () => {
  await app.stop();
  await model.stop();
});

/** Has the model work out a tip of so many percent, and say so. */
function tips(percentage: number, answer: string): void {
  model.script = (messages) =>
    messages.at(-1)?.role === 'user'
      ? { calls: [{ name: 'calculate_tip', args: { amount: 50, percentage } }] }
      : { text: answer };
}

it('shows two versions side by side, with what differs', async () => {
  tips(20, 'The tip is $10.00 today.');
  const visit = await app.open();
  const { page, flow } = visit;
  const log = page.getByRole('region', { name: 'Messages' });
  await visit.ask('Which tip on 50?');
  await visit.answer();
  tips(10, 'The tip is $5.00 today.');
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await log.getByText('2/2').waitFor();
  await log.getByText('The tip is $5.00 today.').waitFor();
  await page.getByRole('button', { name: 'Compare versions' }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare runs' });
  await dialog.getByRole('rowheader', { name: 'other arguments' }).waitFor();
  expect(await dialog.locator('.change del').innerText()).toBe('20');
  expect(await dialog.locator('.change ins').innerText()).toBe('10');
  const left = dialog.getByRole('region', { name: 'Left answer' });
  const right = dialog.getByRole('region', { name: 'Right answer' });
  expect(await left.innerText()).toContain('The tip is $10.00 today.');
  expect(await left.locator('del').allInnerTexts()).toEqual(['$10.00']);
  expect(await right.locator('ins').allInnerTexts()).toEqual(['$5.00']);
  expect(await faults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).click();

  // Against a run of another conversation, from the Flow.
  await page.getByRole('button', { name: 'New chat' }).click();
  await visit.ask('The same tip elsewhere?');
  expect(await visit.answer()).toBe('The tip is $5.00 today.');
  await flow.getByRole('button', { name: 'Compare with another run' }).click();
  await dialog.getByText('There is no other run to compare with here.').waitFor();
  await dialog
    .getByRole('combobox', { name: 'Conversation' })
    .selectOption({ label: 'Which tip on 50?' });
  await dialog.getByText('The two runs made the same calls and gave the same answer.').waitFor();
  const choice = dialog.getByRole('combobox', { name: 'Compare with' });
  await choice.selectOption({ index: 0 });
  await dialog.getByRole('rowheader', { name: 'other arguments' }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await faults(page)).toEqual([]);
  expect(visit.trouble).toEqual([]);
});

it('goes on from a message, or from behind a call, in a new conversation', async () => {
  tips(20, 'The tip is $10.00.');
  const visit = await app.open();
  const { page, flow } = visit;
  const log = page.getByRole('region', { name: 'Messages' });
  await visit.ask('The first tip?');
  await visit.answer();
  await visit.ask('The second tip?');
  await page.getByRole('button', { name: 'Copy answer' }).nth(1).waitFor();
  const first = page.url();

  // Behind the first answer: the second question is not in the copy.
  const on = page.getByRole('button', { name: 'Continue from here in a new conversation' });
  await on.first().click();
  await page.waitForURL((url) => url.href !== first && url.hash.startsWith('#conv_'));
  await log.getByText('The first tip?').waitFor();
  expect(await log.getByText('The second tip?').count()).toBe(0);
  model.script = () => ({ text: 'It goes on here.' });
  await visit.ask('And here?');
  await log.getByText('It goes on here.').waitFor();

  // Behind the call: what was answered is not in the copy, the result is.
  const second = page.url();
  await flow.getByRole('button', { name: 'Previous turn' }).click();
  await flow.getByRole('button', { name: 'Continue behind round 1 in a new conversation' }).click();
  await page.waitForURL((url) => url.href !== second && url.hash.startsWith('#conv_'));
  await log.getByText('The first tip?').waitFor();
  await visit.chip('calculate_tip', 'ok').waitFor();
  expect(await log.getByText('The tip is $10.00.').count()).toBe(0);
  await visit.ask('What now?');
  await log.getByText('It goes on here.').waitFor();
  const sent = JSON.stringify(model.requests.at(-1));
  expect(sent).not.toContain('The tip is $10.00.');
  // The first one is as it was.
  await page.goto(first);
  await log.getByText('The second tip?').waitFor();
  expect(visit.trouble).toEqual([]);
});
