/**
 * `always`: which rules "always" would add for a call that waits, as the server tells them. By the
 * fingerprint of what is shown, so that words about one thing never stand beside another.
 */

import { SvelteMap } from 'svelte/reactivity';

type Told = { fingerprint: string; always: string[] };

/** A call is shown a moment before the server waits for a decision about it. */
const AGAIN_MS = 250;
const TRIES = 8;

export const always = new SvelteMap<string, readonly string[]>();

/** Asks for what is not known yet. Without an answer, what the call itself tells is shown. */
export async function learn(
  fingerprints: readonly string[],
  ask: () => Promise<Told[]>,
): Promise<void> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    if (fingerprints.every((it) => always.has(it))) return;
    try {
      for (const told of await ask()) always.set(told.fingerprint, told.always);
    } catch {
      // The next try, or the next call, will tell.
    }
    if (fingerprints.every((it) => always.has(it))) return;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
