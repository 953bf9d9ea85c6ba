import { afterAll, beforeAll, expect, it } from 'vitest';
import { App } from './app';
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

/** What the model was sent last. */
function sent(): string {
  return JSON.stringify(model.requests.at(-1));
}

it('asks again and edits, and shows the versions side by side', async () => {
  model.script = () => ({ text: 'Wrong answer.' });
  const visit = await app.open();
  const { page } = visit;
  const log = page.getByRole('region', { name: 'Messages' });
  await visit.ask('Which one?');
  expect(await visit.answer()).toBe('Wrong answer.');
  expect(await log.getByRole('group', { name: 'Versions of this question' }).count()).toBe(0);

  // Asked again: the model does not see the first answer, and the reader only the second.
  model.script = () => ({ text: 'Right answer.' });
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await log.getByText('Right answer.').waitFor();
  await log.getByText('2/2').waitFor();
  expect(await log.getByText('Wrong answer.').count()).toBe(0);
  expect(await log.locator('article').count()).toBe(1);
  expect(sent()).not.toContain('Wrong answer.');

  // The first one is a step away, and what is asked there follows it.
  await page.getByRole('button', { name: 'Previous version' }).click();
  await log.getByText('Wrong answer.').waitFor();
  await log.getByText('1/2').waitFor();
  model.script = () => ({ text: 'It follows.' });
  await visit.ask('And then?');
  await log.getByText('It follows.').waitFor();
  expect(sent()).toContain('Wrong answer.');
  expect(sent()).not.toContain('Right answer.');
  expect(await log.locator('article').count()).toBe(2);

  // Edited, it takes the place of the question.
  model.script = () => ({ text: 'Edited answer.' });
  await log.locator('article').first().hover();
  await log.getByRole('button', { name: 'Edit question' }).first().click();
  const field = page.getByRole('textbox', { name: 'Your question' });
  expect(await field.inputValue()).toBe('Which one?');
  await visit.ask('Which two?');
  await log.getByText('Edited answer.').waitFor();
  await log.getByText('3/3').waitFor();
  expect(await log.locator('article').count()).toBe(1);
  expect(sent()).not.toContain('Which one?');

  // A reload shows the newest, and the others are still there.
  await page.reload();
  await log.getByText('3/3').waitFor();
  await page.getByRole('button', { name: 'Previous version' }).click();
  await log.getByText('Right answer.').waitFor();
  expect(visit.trouble).toEqual([]);
});
