import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { App } from './app';
import { faults } from './faults';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.stop());

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it('tells what was used', async () => {
    const visit = await app.open({ colorScheme });
    const { page } = visit;
    await visit.ask("What's the weather in San Francisco and a 20% tip on $45.60?");
    await visit.answer();
    await page.getByRole('button', { name: 'Usage' }).click();
    const dialog = page.getByRole('dialog', { name: 'Usage' });
    const tools = dialog.getByRole('region', { name: 'By tool' });
    await tools.getByText('get_weather').waitFor();
    await tools.getByText('calculate_tip').waitFor();
    await dialog.getByRole('region', { name: 'By model' }).getByText('demo').first().waitFor();
    expect(await faults(page)).toEqual([]);
    await dialog.getByLabel('Time').selectOption('Today');
    await tools.getByText('get_weather').waitFor();
    expect(visit.trouble).toEqual([]);
  });

  it('shows the tools there are', async () => {
    const visit = await app.open({ colorScheme });
    const { page } = visit;
    await page.getByRole('button', { name: 'Tools', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Tools' });
    const tool = dialog.locator('.tool > details', { hasText: 'calculate_tip' });
    await tool.waitFor();
    await dialog.getByRole('searchbox', { name: 'Find a tool' }).fill('calculate tip');
    await dialog.getByText(/^\d+ of \d+ tools$/).waitFor();
    await tool.locator('summary').first().click();
    await tool.getByText('Schema', { exact: true }).click();
    await tool.getByText('"percentage"').first().waitFor();
    expect(await faults(page)).toEqual([]);
    expect(visit.trouble).toEqual([]);
  });
});

it('fits a phone', async () => {
  const visit = await app.open({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const { page } = visit;
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await page.getByRole('button', { name: 'Conversations' }).click();
  for (const name of ['Usage', 'Tools']) {
    await page.getByRole('button', { name, exact: true }).click();
    const dialog = page.getByRole('dialog', { name });
    await dialog.waitFor();
    expect(await width()).toBeLessThanOrEqual(390);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  expect(await faults(page)).toEqual([]);
});
