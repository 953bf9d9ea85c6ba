/** `Verdict`: what a person says about a call, and how edited arguments are read. */

import type { Json } from '../events/types';

export type Verdict = 'allow' | 'always' | 'deny' | 'edit';

export interface Words {
  reason?: string;
  arguments?: Json;
}

/** Sends a decision. Rejects with an `Error` whose message can be shown. */
export type Decide = (
  callId: string,
  fingerprint: string,
  verdict: Verdict,
  words: Words,
) => void | Promise<void>;

export type Edited = { ok: true; value: Json } | { ok: false; error: string };

/** Reads edited arguments: an object, as every tool takes. */
export function edited(text: string): Edited {
  try {
    const value = JSON.parse(text) as Json;
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      return { ok: true, value };
    }
    return { ok: false, error: 'Arguments are an object: { … }' };
  } catch (error) {
    return { ok: false, error: `Not valid JSON: ${(error as Error).message}` };
  }
}
