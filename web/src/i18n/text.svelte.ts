/**
 * `t`: a text of the page in the reader's language.
 *
 * The English text is the key, so a component reads as what it shows, and a text nobody has translated
 * yet is shown in English. Values stand in braces: `t('{tool} wants to run', { tool })`. Where one English
 * word is two in other languages, what is meant stands behind `##`, which is not shown: `t('Close##price')`.
 */

import { numbers } from './numbers';

/** A text for every number a language tells apart (`Intl.PluralRules`); `other` is always there. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };
export type Catalog = Readonly<Record<string, string | Plural>>;
export type Values = Readonly<Record<string, string | number>>;

interface Language {
  readonly tag: string;
  readonly texts: Catalog;
}

class Chosen {
  language = $state.raw<Language>({ tag: 'en', texts: {} });
}

const chosen = new Chosen();

/** The language the page is in now, as browsers name it. */
export function language(): string {
  return chosen.language.tag;
}

/** From now on, texts come from this catalog. */
export function speak(tag: string, texts: Catalog): void {
  chosen.language = { tag, texts };
}

function known(key: string): string | Plural | undefined {
  const { texts } = chosen.language;
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}

function filled(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (braces, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return braces;
    return typeof value === 'number' ? numbers(chosen.language.tag).format(value) : value;
  });
}

/** The text in the reader's language, with its values put in. */
export function t(english: string, values: Values = {}): string {
  const text = known(english);
  return filled(typeof text === 'string' ? text : english.replace(/##\w+$/, ''), values);
}

const kept = new Map<string, Intl.PluralRules>();

function plurals(tag: string): Intl.PluralRules {
  const found = kept.get(tag) ?? new Intl.PluralRules(tag);
  kept.set(tag, found);
  return found;
}

/** A text that counts: `tn(calls, '{count} call', '{count} calls')`. The text for many is the key. */
export function tn(count: number, one: string, other: string, values: Values = {}): string {
  const found = known(other);
  const english: Plural = { one, other };
  const forms = typeof found === 'object' ? found : english;
  const rules = plurals(typeof found === 'object' ? chosen.language.tag : 'en');
  return filled(forms[rules.select(count)] ?? forms.other, { ...values, count });
}
