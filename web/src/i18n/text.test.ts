import { afterEach, expect, test } from 'vitest';
import { speak, t, tn } from './text.svelte';

afterEach(() => speak('en', {}));

test('English is its own key, and values are put in once', () => {
  expect(t('{tool} wants {what}', { tool: '{what}', what: '$&' })).toBe('{what} wants $&');
  expect(t('{missing} stays')).toBe('{missing} stays');
  expect(t('constructor')).toBe('constructor');
  expect(t('Close##price')).toBe('Close');
  expect(tn(1, '{count} call', '{count} calls')).toBe('1 call');
  expect(tn(1204, '{count} call', '{count} calls')).toBe('1,204 calls');
});

test('a catalog is used where it has the text, with its own numbers and plurals', () => {
  speak('de', {
    Stop: 'Anhalten',
    '{count} calls': { one: '{count} Aufruf', other: '{count} Aufrufe' },
  });
  expect(t('Stop')).toBe('Anhalten');
  expect(t('Start')).toBe('Start');
  expect(tn(1, '{count} call', '{count} calls')).toBe('1 Aufruf');
  expect(tn(1204, '{count} call', '{count} calls')).toBe('1.204 Aufrufe');
});
