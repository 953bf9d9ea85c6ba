/**
 * `Drafts`: what was written and not sent, by conversation. Kept in the browser, so that neither a
 * reload nor a look at another conversation loses it.
 */

/** The oldest of more than these are forgotten. */
const MOST = 50;
/** A longer text is for the moment only: browsers keep little. */
const LONGEST = 50_000;

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export class Drafts {
  constructor(
    private readonly storage: () => Kept = () => localStorage,
    /** Under which name all of them are kept. */
    private readonly key = 'toolwright.drafts',
  ) {}

  of(conversation: string): string {
    return this.read().find(([id]) => id === conversation)?.[1] ?? '';
  }

  /** The newest whose name begins so, with the rest of its name. */
  under(beginning: string): { rest: string; text: string } | undefined {
    const found = this.read().findLast(([name]) => name.startsWith(beginning));
    return found && { rest: found[0].slice(beginning.length), text: found[1] };
  }

  /** Keeps a text, newest last; without one there is nothing to keep. */
  put(conversation: string, text: string): void {
    const all = this.read();
    const others = all.filter(([id]) => id !== conversation);
    const isKept = text !== '' && text.length <= LONGEST;
    if (!isKept && others.length === all.length) return;
    const next = isKept ? [...others, [conversation, text]] : others;
    try {
      if (next.length === 0) this.storage().removeItem(this.key);
      else this.storage().setItem(this.key, JSON.stringify(next.slice(-MOST)));
    } catch {
      // A browser that keeps nothing is no reason to fail.
    }
  }

  /** Forgets all of them. */
  clear(): void {
    try {
      this.storage().removeItem(this.key);
    } catch {
      // There was nothing, then.
    }
  }

  private read(): [string, string][] {
    try {
      const value: unknown = JSON.parse(this.storage().getItem(this.key) ?? '[]');
      return Array.isArray(value) ? value.filter(isDraft) : [];
    } catch {
      return [];
    }
  }
}

function isDraft(value: unknown): value is [string, string] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  return value.every((it) => typeof it === 'string');
}
