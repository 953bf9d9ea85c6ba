/** `numbers`: formats of numbers, each made once: making one costs more than a thousand uses of it. */

const kept = new Map<string, Intl.NumberFormat>();

export function numbers(tag: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${tag} ${JSON.stringify(options)}`;
  let found = kept.get(key);
  if (!found) {
    found = new Intl.NumberFormat(tag, options);
    kept.set(key, found);
  }
  return found;
}
