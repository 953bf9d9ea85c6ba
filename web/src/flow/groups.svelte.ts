/** `Groups`: which groups of calls are open, for everything that shows them: cards and lanes agree. */

import { SvelteMap } from 'svelte/reactivity';
import type { Call } from '../events/model';
import type { Group } from '../events/repeats';
import { waitsForYou } from './group';

export class Groups {
  /** What the reader said. */
  private readonly chosen = new SvelteMap<string, boolean>();

  /** Whether the calls of a group are shown one by one: asked for, or one of them has to be seen. */
  isOpen(group: Group<Call>, selected?: string): boolean {
    if (waitsForYou(group.calls) || group.calls.some((it) => it.id === selected)) return true;
    return this.chosen.get(group.key) ?? false;
  }

  toggle(group: Group<Call>, selected?: string): void {
    this.chosen.set(group.key, !this.isOpen(group, selected));
  }
}
