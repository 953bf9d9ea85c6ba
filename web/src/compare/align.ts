/**
 * `align`: which parts of two lists are the same, in their order: the longest list that both have in them.
 *
 * What both begin and end with is the same without a search. Where what is between is too much to search, it
 * counts as different: a page that stands still says less than one that says "all of this changed".
 */

/** A part of the first list, of the second, or the same of both. */
export interface Pair {
  readonly left: number | undefined;
  readonly right: number | undefined;
}

/** How many comparisons are made at most. */
const MOST = 4_000_000;

export function align(left: readonly string[], right: readonly string[]): Pair[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  const most = Math.min(left.length, right.length) - start;
  while (end < most && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  const pairs: Pair[] = [];
  for (let at = 0; at < start; at += 1) pairs.push({ left: at, right: at });
  const inner = between(
    left.slice(start, left.length - end),
    right.slice(start, right.length - end),
  );
  for (const { left: a, right: b } of inner) {
    pairs.push({
      left: a === undefined ? undefined : a + start,
      right: b === undefined ? undefined : b + start,
    });
  }
  for (let at = end; at > 0; at -= 1) {
    pairs.push({ left: left.length - at, right: right.length - at });
  }
  return pairs;
}

function between(left: readonly string[], right: readonly string[]): Pair[] {
  const rows = left.length;
  const columns = right.length;
  const wide = columns + 1;
  if (rows * columns > MOST || rows === 0 || columns === 0) return apart(rows, columns);
  // How much is the same from here to the end of both.
  const same = new Uint32Array((rows + 1) * wide);
  for (let a = rows - 1; a >= 0; a -= 1) {
    for (let b = columns - 1; b >= 0; b -= 1) {
      same[a * wide + b] =
        left[a] === right[b]
          ? (same[(a + 1) * wide + b + 1] ?? 0) + 1
          : Math.max(same[(a + 1) * wide + b] ?? 0, same[a * wide + b + 1] ?? 0);
    }
  }
  const pairs: Pair[] = [];
  let a = 0;
  let b = 0;
  while (a < rows && b < columns) {
    if (left[a] === right[b]) pairs.push({ left: a++, right: b++ });
    else if ((same[(a + 1) * wide + b] ?? 0) >= (same[a * wide + b + 1] ?? 0)) {
      pairs.push({ left: a++, right: undefined });
    } else pairs.push({ left: undefined, right: b++ });
  }
  while (a < rows) pairs.push({ left: a++, right: undefined });
  while (b < columns) pairs.push({ left: undefined, right: b++ });
  return pairs;
}

/** All of the one, then all of the other. */
function apart(left: number, right: number): Pair[] {
  return [
    ...Array.from({ length: left }, (_, at) => ({ left: at, right: undefined })),
    ...Array.from({ length: right }, (_, at) => ({ left: undefined, right: at })),
  ];
}
