/**
 * `Switches`: the tools that somebody switched off in a conversation, and asked nothing since. Kept in the browser:
 * a tool that was switched off is off until it is switched on, whoever reloads the page.
 */

import { Drafts } from './drafts';

export class Switches {
  private readonly kept = new Drafts(undefined, 'toolwright.switches');

  of(conversation: string): readonly string[] | undefined {
    try {
      const names: unknown = JSON.parse(this.kept.of(conversation));
      return Array.isArray(names) ? names.filter((it) => typeof it === 'string') : undefined;
    } catch {
      return undefined;
    }
  }

  put(conversation: string, names: readonly string[]): void {
    this.kept.put(conversation, JSON.stringify(names));
  }

  /** A run says from now on what is off. */
  forget(conversation: string): void {
    this.kept.put(conversation, '');
  }
}
