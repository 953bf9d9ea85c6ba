/** `stretches`: rows in which something differs, and how many lie between them in which nothing does. */

import type { CallRow } from './compare';

/** So many rows in which nothing differs are shown between two that do. */
const FEW = 3;

export type Stretch =
  | { readonly kind: 'row'; readonly row: CallRow }
  | { readonly kind: 'alike'; readonly rows: readonly CallRow[] };

export function stretches(rows: readonly CallRow[]): Stretch[] {
  const all: Stretch[] = [];
  let alike: CallRow[] = [];
  const close = () => {
    if (alike.length > FEW) all.push({ kind: 'alike', rows: alike });
    else all.push(...alike.map((row) => ({ kind: 'row' as const, row })));
    alike = [];
  };
  for (const row of rows) {
    if (row.kind === 'same' && row.result === 'same') alike.push(row);
    else {
      close();
      all.push({ kind: 'row', row });
    }
  }
  close();
  return all;
}
