/**
 * `grouped`: calls of one tool in a row, as one thing to look at: `show ×30`.
 *
 * Everything that lists calls (chips, cards, lanes) groups them here, so that they agree.
 */

/** Fewer calls than this in a row are shown one by one. */
export const MANY = 4;

export interface Group<T> {
  /** The first call's id: what is opened stays open while more calls come. */
  readonly key: string;
  readonly tool: string;
  readonly calls: readonly T[];
  /** Whether they are so many that they are shown as one. */
  readonly many: boolean;
}

/** The calls in groups, each in exactly one, in their order. */
export function grouped<T extends { readonly id: string; readonly tool: string }>(
  calls: readonly T[],
): Group<T>[] {
  const rows: T[][] = [];
  for (const call of calls) {
    const row = rows.at(-1);
    if (row?.[0]?.tool === call.tool) row.push(call);
    else rows.push([call]);
  }
  return rows.flatMap((row) => {
    const all = row.length >= MANY ? [row] : row.map((call) => [call]);
    return all.map((some) => groupOf(some));
  });
}

function groupOf<T extends { readonly id: string; readonly tool: string }>(calls: T[]): Group<T> {
  const [first] = calls;
  const { id = '', tool = '' } = first ?? {};
  return { key: id, tool, calls, many: calls.length > 1 };
}

/** More than this are not drawn at once: nobody reads them, and the page would stand still. */
export const AT_ONCE = 60;

/** The first of very many, and whatever has to be seen. */
export function firstOf<T>(all: readonly T[], mustSee: (it: T) => boolean): readonly T[] {
  return all.length <= AT_ONCE ? all : all.filter((it, at) => at < AT_ONCE || mustSee(it));
}
