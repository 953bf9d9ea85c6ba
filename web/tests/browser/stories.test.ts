import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { App } from './app';
import { gate, Scripted } from './scripted';

describe('the built-in script', () => {
  let app: App;
  beforeAll(async () => void (app = await App.start()));
  afterAll(() => app.stop());

  it('answers what NIFTY costs, and shows how', async () => {
    const visit = await app.open();
    const { page, flow } = visit;
    await page.getByText('a small script', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: "What's the current price of NIFTY?" }).click();
    const answer = await visit.answer();
    expect(answer).toMatch(/Nifty 50/);
    expect(answer).toMatch(/Simulated data/);
    const search = visit.chip('search_instruments', 'ok');
    const quote = visit.chip('get_market_quote', 'ok');
    await search.waitFor();
    for (const step of ['Analyzing request', 'Round 1 of', 'Generating response', 'Answered']) {
      await flow.getByText(step).first().waitFor();
    }

    await quote.click();
    expect(await quote.getAttribute('aria-pressed')).toBe('true');
    await flow.getByText('25,', { exact: false }).first().waitFor();

    await page.reload();
    expect(await visit.answer()).toBe(answer);
    await visit.chip('get_market_quote', 'ok').waitFor();
    expect(visit.trouble).toEqual([]);
    expect(visit.foreign).toEqual([]);
  });

  it('runs two calls of one round side by side', async () => {
    const visit = await app.open();
    const { flow } = visit;
    await visit.ask("What's the weather in San Francisco and a 20% tip on $45.60?");
    expect(await visit.answer()).toContain('$9.12');
    await visit.chip('get_weather', 'ok').waitFor();
    await visit.chip('calculate_tip', 'ok').waitFor();
    expect(await flow.getByText(/^Round \d+ of/).count()).toBe(1);
  });
});

describe('a model', () => {
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

  it('fails, says why, and is asked again', async () => {
    model.script = () => ({ status: 500 });
    const visit = await app.open();
    const { page } = visit;
    await visit.ask('Are you well?');
    await page.getByText('The provider answered 500', { exact: false }).waitFor();
    model.script = () => ({ text: 'Well again.' });
    await page.getByRole('button', { name: 'Regenerate' }).click();
    expect(await visit.answer()).toBe('Well again.');
    expect(await page.getByText('Are you well?').count()).toBeGreaterThan(1);
  });

  it('is stopped in the middle of its answer', async () => {
    const half = gate();
    model.script = () => ({ text: ['One thing. ', 'Another'], hold: half.opened });
    const visit = await app.open();
    const { page } = visit;
    await visit.ask('Talk to me');
    await page.getByText('One thing.').first().waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
    half.open();
    model.script = () => ({ text: 'Yes.' });
    await visit.ask('Still there?');
    await expect.poll(() => visit.answer(), { timeout: 30_000 }).toBe('Yes.');
  });

  it('goes on while the page is loaded anew', async () => {
    const half = gate();
    model.script = () => ({ text: ['The first half', ' and the second.'], hold: half.opened });
    const visit = await app.open();
    const { page } = visit;
    await visit.ask('Tell me both');
    await page.getByText('and the second.').first().waitFor();
    await page.reload();
    await page.getByText('The first half and the second.').first().waitFor();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    half.open();
    expect(await visit.answer()).toBe('The first half and the second.');
  });

  it('answers in every tab that looks', async () => {
    const half = gate();
    model.script = () => ({ text: 'Hello, both.' });
    const visit = await app.open();
    const { page } = visit;
    await visit.ask('Who looks?');
    await visit.answer();
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.getByText('Hello, both.').first().waitFor();

    model.script = () => ({ text: ['Half of it'], hold: half.opened });
    await visit.ask('And now?');
    await second.getByText('And now?').first().waitFor();
    await second.getByText('Half of it').first().waitFor();
    half.open();
    await second.getByRole('button', { name: 'Copy answer' }).nth(1).waitFor();
    expect(await second.locator('main article').count()).toBe(2);
    expect(await page.locator('main article').count()).toBe(2);
  });

  it('is kept when the server is gone for a while', async () => {
    model.script = () => ({ text: 'Before.' });
    const visit = await app.open();
    const { page } = visit;
    await visit.ask('One');
    await visit.answer();
    await app.halt();
    await page.getByText('Connection lost, trying again.').waitFor();
    await app.restart();
    await page.getByText('Connection lost, trying again.').waitFor({ state: 'detached' });
    model.script = () => ({ text: 'After.' });
    await visit.ask('Two');
    await page.getByText('After.').first().waitFor();
    expect(await visit.answer()).toBe('After.');
  });

  it('goes on with what was cut short', async () => {
    const half = gate();
    model.script = () => ({ text: ['Not yet'], hold: half.opened });
    const visit = await app.open();
    const { page } = visit;
    await visit.ask('Finish this');
    await page.getByText('Not yet').first().waitFor();
    await app.halt('SIGKILL');
    await page.getByText('Connection lost, trying again.').waitFor();
    half.open();
    model.script = () => ({ text: 'Finished.' });
    await app.restart();
    await page.getByRole('button', { name: 'Resume' }).click();
    expect(await visit.answer()).toBe('Finished.');
    expect(await page.locator('main article').count()).toBe(1);
  });
});
