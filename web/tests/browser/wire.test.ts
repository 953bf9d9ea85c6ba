import { request } from 'node:http';
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

/** The heads and the size of an answer, as it is on the wire. */
async function fetched(path: string, encoding?: string) {
  const headers = encoding === undefined ? {} : { 'accept-encoding': encoding };
  return new Promise<{ status?: number; encoding?: string; vary?: string; bytes: number }>(
    (resolve, reject) => {
      const asking = request(`${app.origin}${path}`, { headers }, (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => (bytes += chunk.length));
        const { 'content-encoding': encoding, vary } = response.headers;
        response.on('end', () => resolve({ status: response.statusCode, encoding, vary, bytes }));
      });
      asking.on('error', reject);
      asking.end();
    },
  );
}

it('shows its first screen with less than 150 kB', async () => {
  const { page } = await app.open();
  await page.getByText('scripted').first().waitFor();
  const files = await page.evaluate(() => {
    const all = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ] as PerformanceResourceTiming[];
    return all.map((it) => ({ name: new URL(it.name).pathname, bytes: it.encodedBodySize }));
  });
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(all).toBeGreaterThan(20_000);
  expect(all, JSON.stringify(files)).toBeLessThan(150_000);
  // What only some answers need comes with those.
  expect(files.filter(({ name }) => /chart|formula|highlight/.test(name))).toEqual([]);
});

it('sends its files as a client reads them, and nothing else compressed', async () => {
  const { page } = await app.open();
  const script = await page.locator('script[src]').getAttribute('src');
  if (script === null) throw new Error('the page has no script');
  const plain = await fetched(script);
  const zipped = await fetched(script, 'gzip');
  const smallest = await fetched(script, 'gzip, br');
  expect(plain).toMatchObject({ status: 200, encoding: undefined, vary: 'accept-encoding' });
  expect(zipped).toMatchObject({ status: 200, encoding: 'gzip', vary: 'accept-encoding' });
  expect(smallest).toMatchObject({ status: 200, encoding: 'br', vary: 'accept-encoding' });
  expect(plain.bytes).toBeGreaterThan(zipped.bytes);
  expect(zipped.bytes).toBeGreaterThan(smallest.bytes);
  expect(await fetched(`${script}.br`)).toMatchObject({ status: 404 });
  for (const path of ['/api/info', '/api/openapi.json', '/api/tools']) {
    expect(await fetched(path, 'gzip, br')).toMatchObject({ status: 200, encoding: undefined });
  }
});

it('loads colours and formulas with the first text that needs them', async () => {
  const text = [
    '```rust\nfn main() {}\n```',
    'The area is $\\pi r^2$.[^1]',
    '$$\n\\frac{a}{b}\n$$',
    '[^1]: As everybody knows.',
  ].join('\n\n');
  model.script = () => ({ text });
  const visit = await app.open();
  const { page } = visit;
  await visit.ask('What is the area?');
  const answer = page.locator('main article .markdown');
  await answer.locator('.hljs-keyword').waitFor();
  await answer.locator('math msup').waitFor();
  await answer.locator('.formula.display math mfrac').waitFor();
  const note = answer.getByRole('button', { name: '1', exact: true });
  await note.first().click();
  expect(await note.last().evaluate((it) => it === document.activeElement)).toBe(true);
  expect(visit.trouble).toEqual([]);
  expect(visit.foreign).toEqual([]);
});
