/**
 * `Fields`: reading values of unknown shape. Results come from tools, and tools may return anything:
 * nothing here throws, and what has another shape than expected is not there.
 */

/** An object with unknown values. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of an object; none of anything else. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A number that can be counted with. Beyond this size no price or count is meant. */
export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) <= 1e15 ? value : undefined;
}

/** A text that says something, cut where nobody would read on: most are names. */
export function text(value: unknown, most = 300): string | undefined {
  if (typeof value !== 'string') return undefined;
  const trimmed = value.trim();
  if (trimmed === '') return undefined;
  return trimmed.length > most ? `${trimmed.slice(0, most)}…` : trimmed;
}

/** A text, or a number as text: ids come as either. */
export function id(value: unknown): string | undefined {
  return text(value) ?? number(value)?.toString();
}

/** What `read` makes of each item, without those it makes nothing of. */
export function all<T>(items: unknown, read: (item: unknown) => T | undefined): T[] {
  return list(items)
    .map((item) => read(item))
    .filter((item) => item !== undefined);
}
