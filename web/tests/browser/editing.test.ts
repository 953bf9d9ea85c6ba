import { afterAll, beforeAll, expect, it } from 'vitest';
import { App, type Visit } from './app';
import { gate, Scripted } from './scripted';

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

const INSTEAD = 'This is asked in the place of the earlier question';

const field = ({ page }: Visit) => page.getByRole('textbox', { name: 'Your question' });
const log = ({ page }: Visit) => page.getByRole('region', { name: 'Messages' });
const questions = async (visit: Visit) => log(visit).locator('.question p').allTextContents();

async function edit(visit: Visit, index: number) {
  await log(visit).locator('article').nth(index).hover();
  await log(visit).getByRole('button', { name: 'Edit question' }).nth(index).click();
}

/** A conversation with these questions, each with its answer. */
async function talk(...asked: string[]): Promise<Visit> {
  const visit = await app.open();
  for (const question of asked) {
    model.script = () => ({ text: `Answer to ${question}` });
    await visit.ask(question);
    await log(visit).getByText(`Answer to ${question}`).waitFor();
    await visit.answer();
  }
  return visit;
}

it('does not say an edited question to a run that goes on', async () => {
  const visit = await talk('First one?');
  const { page } = visit;
  const half = gate();
  model.script = () => ({ text: ['Half of it'], hold: half.opened });
  await visit.ask('Second one?');
  await log(visit).getByText('Half of').waitFor();
  await edit(visit, 0);
  await field(visit).fill('First one, edited?');
  await page.getByText('let the run end or stop it').waitFor();
  await field(visit).press('Enter');
  expect(await field(visit).inputValue()).toBe('First one, edited?');
  half.open();
  await page.getByText(INSTEAD).waitFor();
  model.script = () => ({ text: 'Anew.' });
  await field(visit).press('Enter');
  await log(visit).getByText('Anew.').waitFor();
  await visit.answer();
  expect(await questions(visit)).toEqual(['First one, edited?']);
  // What is asked next is a question of its own.
  model.script = () => ({ text: 'After that.' });
  await visit.ask('And then?');
  await log(visit).getByText('After that.').waitFor();
  expect(await questions(visit)).toEqual(['First one, edited?', 'And then?']);
  expect(visit.trouble).toEqual([]);
});

it('gives an edit that could not be sent back as one', async () => {
  const visit = await talk('Which one?', 'And which else?');
  const { page } = visit;
  await page.route('**/api/chat/stream', (route) => route.abort());
  await edit(visit, 0);
  await field(visit).fill('Which two?');
  await field(visit).press('Enter');
  await expect.poll(() => field(visit).inputValue()).toBe('Which two?');
  await page.getByText(INSTEAD).waitFor();
  await page.unroute('**/api/chat/stream');
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await field(visit).inputValue()).toBe('');
  model.script = () => ({ text: 'The third answer.' });
  await visit.ask('A third?');
  await log(visit).getByText('The third answer.').waitFor();
  expect(await questions(visit)).toEqual(['Which one?', 'And which else?', 'A third?']);
});

it('keeps an edit and what was written before it, each by itself', async () => {
  const visit = await talk('Kept question?');
  const { page } = visit;
  await field(visit).fill('Half a thought');
  await edit(visit, 0);
  await field(visit).fill('Kept question, edited?');
  await page.reload();
  await page.getByText(INSTEAD).waitFor();
  expect(await field(visit).inputValue()).toBe('Kept question, edited?');
  await page.getByRole('button', { name: 'New chat' }).first().click();
  await expect.poll(() => field(visit).inputValue()).toBe('');
  await page.goBack();
  await page.getByText(INSTEAD).waitFor();
  expect(await field(visit).inputValue()).toBe('Kept question, edited?');
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await field(visit).inputValue()).toBe('Half a thought');
});

it('leads to versions that are not the newest', async () => {
  const visit = await talk('Tell me about osprey?');
  const { page } = visit;
  model.script = () => ({ text: 'Another bird.' });
  await edit(visit, 0);
  await field(visit).fill('Tell me about merlin?');
  await field(visit).press('Enter');
  await log(visit).getByText('Another bird.').waitFor();
  await page.getByRole('button', { name: 'Previous version' }).click();
  await log(visit).getByText('Answer to Tell me about osprey?').waitFor();

  // A reload, and a question: both stay with the version that is looked at.
  await page.reload();
  await log(visit).getByText('1/2').waitFor();
  await log(visit).getByText('Answer to Tell me about osprey?').waitFor();
  const link = page.url();

  // A link, opened while the newest is shown.
  await page.getByRole('button', { name: 'Next version' }).click();
  await log(visit).getByText('Another bird.').waitFor();
  await page.goto('about:blank');
  await page.goto(link);
  await log(visit).getByText('Answer to Tell me about osprey?').waitFor();

  // What a search finds is what is shown.
  await page.getByRole('button', { name: 'New chat' }).first().click();
  await page.getByRole('searchbox').fill('osprey');
  await page.locator('.list mark').waitFor();
  await page
    .locator('.list')
    .getByRole('button', { name: /osprey/ })
    .first()
    .click();
  await log(visit).getByText('Answer to Tell me about osprey?').waitFor();
});

it('asks something else where a run was cut short, and says so of that run alone', async () => {
  const visit = await talk('Whole answer?');
  const { page } = visit;
  const half = gate();
  model.script = () => ({ text: ['Not yet'], hold: half.opened });
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await log(visit).getByText('Not yet').waitFor();
  await app.halt('SIGKILL');
  await page.getByText('Connection lost, trying again.').waitFor();
  half.open();
  await app.restart();
  const cut = log(visit).getByText('Interrupted: the server stopped');
  await cut.waitFor();
  await page.getByRole('button', { name: 'Previous version' }).click();
  await log(visit).getByText('Answer to Whole answer?').waitFor();
  expect(await cut.count()).toBe(0);
  await page.getByRole('button', { name: 'Next version' }).click();
  await cut.waitFor();
  model.script = () => ({ text: 'Something else.' });
  await visit.ask('Something else?');
  await log(visit).getByText('Something else.', { exact: true }).waitFor();
  expect(await questions(visit)).toEqual(['Whole answer?', 'Something else?']);
});
