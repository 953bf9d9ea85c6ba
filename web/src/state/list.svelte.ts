/** `List`: the conversations the server keeps, newest first, or those in which words were found. */

import { api, type Summary } from '../api/client';
import { problemOf, type Problem } from './problem';

const PAGE = 50;
const REFRESH_MS = 5_000;

export class List {
  items = $state.raw<Summary[]>([]);
  words = $state('');
  /** Whose conversations are shown; everybody's where nobody is named. */
  owner = $state('');
  /** Those who have some, where others are shown than one's own. */
  owners = $state.raw<string[]>([]);
  loaded = $state(false);
  problem = $state.raw<Problem>();
  private next = $state<string>();
  readonly more = $derived(this.next !== undefined);
  /** Counts requests, so that an answer which comes late is dropped. */
  private asked = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Looks anew, keeping as many as are shown. */
  async refresh(): Promise<void> {
    const asked = ++this.asked;
    const q = this.words.trim();
    const { owner } = this;
    try {
      const page = await api.conversations(
        q === '' ? { limit: Math.max(PAGE, this.items.length), owner } : { q, owner },
      );
      if (asked !== this.asked) return;
      this.items = page.conversations;
      this.owners = page.owners ?? [];
      this.next = page.next ?? undefined;
      this.problem = undefined;
      this.loaded = true;
      this.watch();
    } catch (error) {
      if (asked === this.asked) this.problem = problemOf(error);
    }
  }

  async showMore(): Promise<void> {
    const asked = this.asked;
    try {
      const page = await api.conversations({
        limit: PAGE,
        before: this.next,
        owner: this.owner,
      });
      if (asked !== this.asked) return;
      const known = new Set(this.items.map((item) => item.id));
      this.items = [...this.items, ...page.conversations.filter((item) => !known.has(item.id))];
      this.next = page.next ?? undefined;
    } catch (error) {
      this.problem = problemOf(error);
    }
  }

  async rename(id: string, title: string): Promise<void> {
    this.put(await api.rename(id, title));
  }

  async remove(id: string): Promise<void> {
    await api.remove(id);
    this.items = this.items.filter((item) => item.id !== id);
  }

  /** Takes over what is known about a conversation. */
  put(summary: Summary): void {
    const known = this.items.some((item) => item.id === summary.id);
    if (known) {
      this.items = this.items.map((item) =>
        item.id === summary.id ? { ...item, ...summary } : item,
      );
    } else if (this.words === '') {
      this.items = [summary, ...this.items];
    }
  }

  /** Where something runs, it will end. */
  private watch(): void {
    clearTimeout(this.timer);
    if (!this.items.some((item) => item.state === 'running')) return;
    this.timer = setTimeout(() => {
      if (document.hidden) this.watch();
      else void this.refresh();
    }, REFRESH_MS);
  }
}
