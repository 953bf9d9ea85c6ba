/**
 * `Nearby`: which turns of a long conversation are drawn: the last ones, and those that a reader comes
 * near to. The others are there as plain text, so that searching the page finds them and the scroll bar
 * tells where one is.
 *
 * Drawing a turn takes some milliseconds, so only as many are drawn in a frame as fit into it, those
 * that are seen first.
 */

import { flushSync } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';

/** A conversation with no more turns is drawn whole. */
export const FEW = 24;
/** How many of the last turns are drawn at once: more than fit a screen. */
const LAST = 4;
/** How far from the visible part turns are drawn. */
const AHEAD = '1200px 0px';
/** How much of a frame may be spent on drawing, in ms. */
const SLICE = 5;

export class Nearby {
  private readonly drawn = new SvelteSet<string>();
  private readonly waiting = new Map<Element, string>();
  private readonly names = new WeakMap<Element, string>();
  private observer: IntersectionObserver | undefined;
  private frame = 0;

  /** Whether a turn is drawn, of so many. */
  isDrawn(run: string, index: number, count: number): boolean {
    return count <= FEW || index >= count - LAST || this.drawn.has(run);
  }

  /** Draws a turn whatever is seen. */
  draw(run: string): void {
    this.drawn.add(run);
  }

  /** Has the turn drawn when a reader comes near to what stands in its place. */
  watch(run: string) {
    return (element: Element) => {
      const root = element.parentElement?.parentElement ?? null;
      this.observer ??= new IntersectionObserver((all) => this.seen(all), {
        root,
        rootMargin: AHEAD,
      });
      this.names.set(element, run);
      this.observer.observe(element);
      return () => {
        this.observer?.unobserve(element);
        this.waiting.delete(element);
      };
    };
  }

  close(): void {
    this.observer?.disconnect();
    cancelAnimationFrame(this.frame);
  }

  private seen(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const run = this.names.get(target);
      if (isIntersecting && run !== undefined) this.waiting.set(target, run);
      else this.waiting.delete(target);
    }
    this.next();
  }

  private next(): void {
    if (this.frame !== 0 || this.waiting.size === 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.some();
      this.next();
    });
  }

  /** Draws those that are nearest to the middle of the screen, as long as there is time. */
  private some(): void {
    const until = performance.now() + SLICE;
    const away = (element: Element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return Math.abs((top + bottom - innerHeight) / 2);
    };
    const byDistance = [...this.waiting.keys()].map((it) => ({ it, away: away(it) }));
    byDistance.sort((a, b) => a.away - b.away);
    for (const { it } of byDistance) {
      const run = this.waiting.get(it);
      this.waiting.delete(it);
      if (run !== undefined) flushSync(() => this.drawn.add(run));
      if (performance.now() > until) return;
    }
  }
}
