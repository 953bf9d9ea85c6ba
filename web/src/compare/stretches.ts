/** `stretches`: the rows of a comparison, where many alike in a row are told as one. */

import { MANY } from '../events/repeats';
import type { CallRow } from './compare';

export type Stretch =
  | { readonly kind: 'row'; readonly row: CallRow }
  | { readonly kind: 'same' | 'left' | 'right'; readonly rows: readonly CallRow[] };

/** What a row can be told together with; nothing where its details are what matters. */
function alikeOf({ kind, result }: CallRow): 'same' | 'left' | 'right' | undefined {
  return kind === 'changed' || result === 'other' ? undefined : kind;
}

function alikeAt(rows: readonly CallRow[], at: number) {
  const row = rows[at];
  return row && alikeOf(row);
}

export function stretches(rows: readonly CallRow[]): Stretch[] {
  const all: Stretch[] = [];
  for (let at = 0; at < rows.length;) {
    const kind = alikeAt(rows, at);
    let end = at + 1;
    while (kind && end < rows.length && alikeAt(rows, end) === kind) end += 1;
    const some = rows.slice(at, end);
    if (kind && some.length >= MANY) all.push({ kind, rows: some });
    else all.push(...some.map((row) => ({ kind: 'row' as const, row })));
    at = end;
  }
  return all;
}
