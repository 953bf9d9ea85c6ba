import { afterAll, beforeAll, expect, it } from 'vitest';
import { App, type Visit } from './app';
import { faults } from './faults';
import { gate, Scripted, type Message } from './scripted';

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

const field = ({ page }: Visit) => page.getByRole('textbox', { name: 'Your question' });
const waiting = ({ page }: Visit) => page.getByRole('list', { name: 'Messages that wait' });

/** A run whose answer is held until it is released; from then on the model says back what it is told. */
async function going(): Promise<{ visit: Visit; release: () => void }> {
  const held = gate();
  model.script = (messages: Message[]) => {
    const said = messages.findLast((it) => it.role === 'user')?.content ?? '';
    if (said !== 'Take your time') return { text: `You said: ${said}` };
    return { text: ['One', ' moment'], hold: held.opened };
  };
  const visit = await app.open();
  await visit.ask('Take your time');
  await visit.page.getByText('One moment').first().waitFor();
  return { visit, release: held.open };
}

it('takes up what is said while it answers, and goes on', async () => {
  const { visit, release } = await going();
  await field(visit).fill('Be brief.');
  await field(visit).press('Enter');
  await waiting(visit).getByText('Waits for the next step').waitFor();
  expect(await field(visit).inputValue()).toBe('');
  expect(await faults(visit.page)).toEqual([]);
  release();
  expect(await visit.answer()).toBe('You said: Be brief.');
  await waiting(visit).waitFor({ state: 'detached' });
  // One run: the question, what was said meanwhile, and both answers.
  expect(await visit.page.getByRole('article').count()).toBe(1);
  expect(await visit.page.getByRole('heading', { name: 'You said meanwhile' }).count()).toBe(1);
  await visit.page.reload();
  expect(await visit.answer()).toBe('You said: Be brief.');
  expect(await visit.page.getByRole('heading', { name: 'You said meanwhile' }).count()).toBe(1);
  expect(visit.trouble).toEqual([]);
});

it('asks what waits for the end by itself', async () => {
  const { visit, release } = await going();
  await field(visit).fill('And then?');
  await field(visit).press('Shift+Alt+Enter');
  await waiting(visit).getByText('Waits for the end of this run').waitFor();
  // What waits is there again after a reload.
  await visit.page.reload();
  await waiting(visit).getByText('And then?').waitFor();
  release();
  // Whoever cannot see it is told it, too.
  await visit.page.getByRole('article').getByText('You said: And then?').waitFor();
  await waiting(visit).waitFor({ state: 'detached' });
  expect(await visit.page.getByRole('article').count()).toBe(2);
  expect(visit.trouble).toEqual([]);
});

it('keeps tools off that were switched off, also for what waits', async () => {
  const { visit, release } = await going();
  const { page } = visit;
  const tools = page.locator('.composer').getByRole('button', { name: /tools$/ });
  await tools.click();
  const dialog = page.getByRole('dialog', { name: 'Tools' });
  await dialog.getByRole('switch', { name: 'Use get_weather in this chat' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  const left = /^\d+ of \d+ tools$/;
  await page.locator('.composer').getByRole('button', { name: left }).waitFor();
  await page.reload();
  await page.locator('.composer').getByRole('button', { name: left }).waitFor();
  await field(visit).fill('And then?');
  const said = page.waitForRequest(
    (it) => it.method() === 'POST' && it.url().endsWith('/messages'),
  );
  await field(visit).press('Shift+Alt+Enter');
  expect((await said).postDataJSON()).toMatchObject({ tools_off: ['get_weather'] });
  await waiting(visit).getByText('And then?').waitFor();
  release();
  await page.getByRole('article').getByText('You said: And then?').waitFor();
  await page.locator('.composer').getByRole('button', { name: left }).waitFor();
  expect(visit.trouble).toEqual([]);
});

it('tells every tab what waits, at once', async () => {
  const { visit, release } = await going();
  const other = await app.open();
  await other.page.goto(visit.page.url());
  await other.page.getByText('One moment').first().waitFor();
  await field(visit).fill('And then?');
  await field(visit).press('Shift+Alt+Enter');
  await waiting(other).getByText('And then?').waitFor();
  await waiting(other).getByRole('button', { name: 'Take back' }).click();
  await waiting(visit).waitFor({ state: 'detached' });
  await field(visit).fill('Be brief.');
  await field(visit).press('Enter');
  await waiting(other).getByText('Be brief.').waitFor();
  release();
  expect(await other.answer()).toBe('You said: Be brief.');
  await waiting(other).waitFor({ state: 'detached' });
  expect(visit.trouble).toEqual([]);
  expect(other.trouble).toEqual([]);
});

it('says so where the run was first', async () => {
  const { visit, release } = await going();
  const { page } = visit;
  const refused = page.waitForResponse((it) => it.request().method() === 'DELETE');
  // Taking it back arrives when the run has it.
  await page.route('**/messages/*', async (route) => {
    release();
    await visit.answer();
    await route.continue();
  });
  await field(visit).fill('Be brief.');
  await field(visit).press('Enter');
  await waiting(visit).getByRole('button', { name: 'Take back' }).click();
  expect((await refused).status()).toBe(409);
  expect(await visit.answer()).toBe('You said: Be brief.');
  expect(await field(visit).inputValue()).toBe('');
});

it('gives back what is taken back', async () => {
  const { visit, release } = await going();
  await field(visit).fill('Never mind.');
  await visit.page.getByLabel('When it is taken up').selectOption('After this run');
  await visit.page.getByRole('button', { name: 'Send' }).click();
  await waiting(visit).getByText('Never mind.').waitFor();
  await waiting(visit).getByRole('button', { name: 'Take back' }).click();
  await waiting(visit).waitFor({ state: 'detached' });
  expect(await field(visit).inputValue()).toBe('Never mind.');
  await field(visit).fill('');
  release();
  expect(await visit.answer()).toBe('One moment');
  expect(await visit.page.getByRole('article').count()).toBe(1);
  expect(visit.trouble).toEqual([]);
});

it('goes where the address leads, even when a run ends on the way there', async () => {
  const { visit, release } = await going();
  const { page } = visit;
  const running = page.url();
  await page.getByRole('button', { name: 'New chat' }).click();
  await visit.ask('Another');
  expect(await visit.answer()).toBe('You said: Another');
  const other = page.url();
  await page.goto(running);
  await page.getByText('One moment').first().waitFor();

  // Between the address and its event the run ends. A browser fits a whole answer in there when it is busy.
  const arriving = page.evaluate(async (to) => {
    const end = document.querySelector('main')!;
    const ended = new Promise<void>((resolve) => {
      const seen = () => end.querySelector('[aria-label="Copy answer"], [title="Copy answer"]');
      new MutationObserver(() => seen() && resolve()).observe(end, {
        childList: true,
        subtree: true,
        attributes: true,
      });
    });
    history.replaceState(null, '', to);
    await ended;
    dispatchEvent(new HashChangeEvent('hashchange'));
  }, other);
  release();
  await arriving;
  await page.getByText('You said: Another').first().waitFor();
  expect(page.url()).toBe(other);
  expect(visit.trouble).toEqual([]);
});
