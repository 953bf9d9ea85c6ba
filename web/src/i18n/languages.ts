/** `choose`: which language the page is in. A catalog is a chunk of its own, loaded when it is chosen. */

import { speak, type Catalog } from './text.svelte';

export interface Language {
  /** As browsers name it. */
  readonly tag: string;
  /** What those who speak it call it. */
  readonly name: string;
  readonly dir: 'ltr' | 'rtl';
  readonly load: () => Catalog | Promise<Catalog>;
}

const english: Language = { tag: 'en', name: 'English', dir: 'ltr', load: () => ({}) };

export const languages: readonly Language[] = [
  english,
  { tag: 'de', name: 'Deutsch', dir: 'ltr', load: async () => (await import('./de')).texts },
];

/** The language for a wish: a tag, or what the reader's system prefers of those that are there. */
export function languageFor(wish: string, preferred: readonly string[]): Language {
  const named = languages.find(({ tag }) => tag === wish);
  if (named) return named;
  for (const tag of preferred) {
    const [base] = tag.toLowerCase().split('-');
    const found = languages.find((it) => it.tag === base);
    if (found) return found;
  }
  return english;
}

let latest = 0;

/** Speaks the language that is wished for. Where it cannot be loaded the page stays as it is. */
export async function choose(wish: string): Promise<void> {
  const { tag, dir, load } = languageFor(wish, navigator.languages);
  latest += 1;
  const asked = latest;
  try {
    const texts = await load();
    // Another one was chosen meanwhile.
    if (asked !== latest) return;
    speak(tag, texts);
    document.documentElement.lang = tag;
    document.documentElement.dir = dir;
  } catch {
    // Without the network, say: what is shown can still be read.
  }
}
