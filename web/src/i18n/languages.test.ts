import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { choose, languageFor } from './languages';
import { language, speak, t } from './text.svelte';

beforeEach(() => {
  vi.stubGlobal('navigator', { languages: ['fr-CA', 'de-AT', 'en'] });
  vi.stubGlobal('document', { documentElement: {} });
});

afterEach(() => {
  vi.unstubAllGlobals();
  speak('en', {});
});

test('a wish is heard, and else what the system prefers of what there is', () => {
  expect(languageFor('en', ['de']).tag).toBe('en');
  expect(languageFor('system', ['fr-CA', 'de-AT', 'en']).tag).toBe('de');
  expect(languageFor('system', ['EN-gb', 'de']).tag).toBe('en');
  expect(languageFor('system', []).tag).toBe('en');
  expect(languageFor('klingon', ['fr']).tag).toBe('en');
});

test('the page is told its language, and the last one that was chosen stays', async () => {
  await choose('system');
  expect([language(), t('Stop')]).toEqual(['de', 'Anhalten']);
  expect(document.documentElement).toEqual({ lang: 'de', dir: 'ltr' });
  await Promise.all([choose('de'), choose('en')]);
  expect([language(), t('Stop')]).toEqual(['en', 'Stop']);
});
