/** `Address`: what the page's address names: `#conversation`, `#conversation/run`, `#conversation/run/call`. */

export interface Address {
  /** Empty where no conversation is named. */
  readonly id: string;
  readonly run?: string;
  readonly call?: string;
}

/** What stands behind the `#`. Anybody may have written it. */
export function parse(hash: string): Address {
  const [id = '', run, call] = hash.replace(/^#/, '').split('/').map(decoded);
  return {
    id,
    ...(run ? { run } : {}),
    ...(run && call ? { call } : {}),
  };
}

export function format({ id, run, call }: Address): string {
  const parts = run === undefined ? [id] : call === undefined ? [id, run] : [id, run, call];
  return `#${parts.map(encodeURIComponent).join('/')}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
