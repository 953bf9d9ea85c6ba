/** `Verdict`: what a person says about a call, and how edited arguments are read. */

import type { Call } from '../events/model';
import type { Json } from '../events/types';
import { t } from '../i18n/text.svelte';

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

/** Calls that can be decided about together. */
export interface Alike {
  readonly tool: string;
  readonly calls: readonly { id: string; fingerprint: string }[];
}

/** Those that are alike: of one tool, and none that asks for care of its own. */
export function alike(calls: readonly Call[]): Alike[] {
  const byTool = new Map<string, { id: string; fingerprint: string }[]>();
  for (const { id, tool, phase, preview, reviewReason } of calls) {
    if (phase !== 'waiting' || preview === undefined) continue;
    if ((preview.review_reason ?? reviewReason ?? preview.rule_concern) !== undefined) continue;
    byTool.set(tool, [...(byTool.get(tool) ?? []), { id, fingerprint: preview.fingerprint }]);
  }
  const groups = [...byTool].map(([tool, of]) => ({ tool, calls: of }));
  return groups.filter((group) => group.calls.length > 1);
}

export type Edited = { ok: true; value: Json } | { ok: false; error: string };

/** Reads edited arguments: an object, as every tool takes. */
export function edited(text: string): Edited {
  try {
    const value = JSON.parse(text) as Json;
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      return { ok: true, value };
    }
    return { ok: false, error: t('Arguments are an object: { … }') };
  } catch (error) {
    return {
      ok: false,
      error: t('Not valid JSON: {reason}', { reason: (error as Error).message }),
    };
  }
}
