import { afterAll, beforeAll, expect, it } from 'vitest';
import { App, type Visit } from './app';
import { Scripted } from './scripted';

let model: Scripted;
let app: App;
let connected: App;

beforeAll(async () => {
  model = await Scripted.start(() => ({ text: 'Hello.' }));
  app = await App.start();
  connected = await App.start({ model });
});
afterAll(async () => {
  await app.stop();
  await connected.stop();
  await model.stop();
});

/** The answers to what the page says about getting ready, as they come, once it knows what answers. */
async function warmings({ page }: Visit): Promise<number[]> {
  const answers: number[] = [];
  page.on('response', (it) => {
    if (new URL(it.url()).pathname === '/api/models/warm') answers.push(it.status());
  });
  await page.getByRole('button', { name: 'Attach files', disabled: false }).waitFor();
  return answers;
}

it('has what comes with the program get ready with the first letter of each question', async () => {
  const visit = await app.open();
  const answers = await warmings(visit);
  await visit.question.pressSequentially('A tip on');
  await expect.poll(() => answers).toEqual([202]);
  await visit.ask('A tip on $10?');
  await visit.answer();
  expect(answers).toEqual([202]);
  await visit.question.pressSequentially('And');
  await expect.poll(() => answers).toEqual([202, 202]);
  await visit.page.getByRole('button', { name: 'New chat' }).first().click();
  await visit.question.pressSequentially('Hi');
  await expect.poll(() => answers).toEqual([202, 202, 202]);
  expect(visit.trouble).toEqual([]);
});

it('says nothing to a model of the user before they ask', async () => {
  const visit = await connected.open();
  const answers = await warmings(visit);
  await visit.ask('Hi');
  expect(await visit.answer()).toContain('Hello.');
  expect(answers).toEqual([]);
  expect(visit.trouble).toEqual([]);
});
