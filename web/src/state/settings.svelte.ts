/** `settings`: what a person chose. All of it is remembered but the broker's token. */

import { choose } from '../i18n/languages';

type Theme = 'system' | 'light' | 'dark';
export type ToolMode = '' | 'auto' | 'native' | 'text';

interface Kept {
  theme: Theme;
  /** `system`, or the tag of a language. */
  language: string;
  list: boolean;
  flow: boolean;
  /** How wide the Flow is, in pixels; 0 where nobody said. */
  flowWidth: number;
  task: string;
  model: string;
  toolMode: ToolMode;
  /** The words of the model banner that was closed. */
  seen: string;
}

const KEY = 'toolwright';
const defaults: Kept = {
  theme: 'system',
  language: 'system',
  list: true,
  flow: true,
  flowWidth: 0,
  task: '',
  model: '',
  toolMode: '',
  seen: '',
};

function load(): Kept {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (typeof value !== 'object' || value === null) return defaults;
    const kept: Record<string, unknown> = { ...defaults };
    for (const [key, fallback] of Object.entries(defaults)) {
      const found = (value as Record<string, unknown>)[key];
      if (typeof found === typeof fallback) kept[key] = found;
    }
    return kept as unknown as Kept;
  } catch {
    // A browser that keeps nothing is no reason to fail.
    return defaults;
  }
}

class Settings {
  kept = $state<Kept>(load());
  /** For the broker. In memory only: gone with the tab. */
  accessToken = $state('');
  private systemIsDark = $state(false);

  /** What the page looks like now. */
  readonly dark = $derived(
    this.kept.theme === 'system' ? this.systemIsDark : this.kept.theme === 'dark',
  );

  /** Remembers, and follows the system's theme and language. Called once; over when the page can be shown. */
  async begin(): Promise<void> {
    const wish = matchMedia('(prefers-color-scheme: dark)');
    this.systemIsDark = wish.matches;
    wish.addEventListener('change', () => (this.systemIsDark = wish.matches));
    addEventListener('languagechange', () => void choose(this.kept.language));
    $effect.root(() => {
      $effect(() => {
        const text = JSON.stringify(this.kept);
        try {
          localStorage.setItem(KEY, text);
        } catch {
          // Not remembered, then.
        }
      });
      $effect(() => {
        document.documentElement.dataset.theme = this.dark ? 'dark' : 'light';
      });
      $effect(() => void choose(this.kept.language));
    });
    // The first words that are seen are in the right language.
    await choose(this.kept.language);
  }
}

export const settings = new Settings();
