import { expect, test } from 'vitest';
import { languages } from '../../src/i18n/languages';
import type { Catalog } from '../../src/i18n/text.svelte';
import { collect, usesIn, valuesOf } from './texts';

const { uses, wrong } = collect();

/** What each text of the page must be in a catalog: the names of its values, and whether it counts. */
const texts = new Map(uses.map(({ key, one }) => [key, { counts: one !== undefined }]));

/** What is wrong with a catalog. */
function faults(tag: string, catalog: Catalog): string[] {
  const all = Object.keys(catalog);
  const unused = all.filter((key) => !texts.has(key)).map((key) => `“${key}” is used nowhere`);
  const others = [...texts].flatMap(([key, { counts }]) => {
    const found = Object.hasOwn(catalog, key) ? catalog[key] : undefined;
    if (found === undefined) return [`“${key}” is missing`];
    if ((typeof found === 'object') !== counts) {
      return [`“${key}” ${counts ? 'counts and needs its plurals' : 'does not count'}`];
    }
    return faultsOf(tag, key, typeof found === 'object' ? found : { other: found });
  });
  return [...unused, ...others];
}

function faultsOf(tag: string, key: string, forms: Partial<Record<string, string>>): string[] {
  const isPlural = Object.keys(forms).length > 1;
  const needed = isPlural
    ? new Intl.PluralRules(tag).resolvedOptions().pluralCategories
    : (['other'] as const);
  const missing = needed.filter((form) => forms[form] === undefined);
  const spare = Object.keys(forms).filter((form) => !(needed as readonly string[]).includes(form));
  const values = Object.entries(forms).flatMap(([form, text = '']) => {
    // A form that is for one number only need not say it: “once”.
    const isOptional = (name: string) => name === 'count' && form !== 'other';
    const [wanted, has] = [valuesOf(key), valuesOf(text)];
    const differ = [
      ...wanted.filter((name) => !has.includes(name) && !isOptional(name)),
      ...has.filter((name) => !wanted.includes(name)),
    ];
    return differ.map((name) => `“${key}”, ${form}: {${name}} is on one side only`);
  });
  return [
    ...missing.map((form) => `“${key}” has no text for “${form}”`),
    ...spare.map((form) => `“${key}” has a text for “${form}”, which ${tag} does not know`),
    ...values,
  ];
}

test('texts stand in the sources as they are, with their values', () => {
  expect(wrong).toEqual([]);
  expect(uses.length).toBeGreaterThan(500);
});

test('a text either counts or does not', () => {
  const both = uses.filter(({ key, one }) => texts.get(key)?.counts !== (one !== undefined));
  expect(both).toEqual([]);
});

test.each(languages.filter(({ tag }) => tag !== 'en'))('$name is whole', async ({ tag, load }) => {
  expect(faults(tag, await load())).toEqual([]);
});

test('a text that is put together, or lacks a value, is found', () => {
  const found = (source: string, name = 'a.ts') => usesIn(name, source).wrong.length;
  expect(found("t('Hello {name}', { name })")).toBe(0);
  expect(found('t(`Hello ${name}`)')).toBe(1);
  expect(found("t(isNew ? 'New' : 'Old')")).toBe(1);
  expect(found("t('Hello {name}')")).toBe(1);
  expect(found("t('Hello', { name })")).toBe(1);
  expect(found("tn(calls, '{count} call', many)")).toBe(1);
  expect(found("<p>{#if a}{t('Hello {name}', {})}{/if}</p>", 'a.svelte')).toBe(1);
  expect(found("<p title={t('Hello')}>{rows.map((it) => t(it))}</p>", 'a.svelte')).toBe(1);
  expect(usesIn('a.svelte', "<p>{t('One')} {t('Two')}{t('Three')}</p>").uses.length).toBe(3);
});

test('a catalog that is not whole is found', () => {
  const [key = ''] = [...texts].find(([, { counts }]) => counts) ?? [];
  const some = [...texts].find(([text, { counts }]) => !counts && valuesOf(text).length > 0);
  const plain = some?.[0] ?? '';
  const with_ = (more: Catalog) => faults('de', more).filter((it) => !it.endsWith('is missing'));
  expect(faults('de', {}).length).toBe(texts.size);
  expect(with_({ nowhere: 'nirgends' })).toEqual(['“nowhere” is used nowhere']);
  expect(with_({ [key]: key })).toEqual([`“${key}” counts and needs its plurals`]);
  expect(with_({ [key]: { one: key, other: key, few: key } }).length).toBe(1);
  expect(with_({ [plain]: plain })).toEqual([]);
  expect(with_({ [plain]: 'ohne' }).length).toBe(valuesOf(plain).length);
});
