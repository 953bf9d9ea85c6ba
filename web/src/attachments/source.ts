/** `Source`: who has the bytes of what is attached: the server, or an opened file. */

import { getContext, setContext } from 'svelte';
import type { Attachment } from '../events/types';

export type Source = (attachment: Attachment) => Promise<Blob>;

const KEY = Symbol('attachments');

export function provide(source: Source): void {
  setContext(KEY, source);
}

/** Nobody has them where nobody said so. */
export function source(): Source {
  return getContext<Source | undefined>(KEY) ?? (() => Promise.reject(new Error('not here')));
}

/** The bytes that a file carries, as what they are said to be where that can only be looked at. */
export function blobOf(data: string, mediaType: string): Blob {
  const bytes = Uint8Array.from(atob(data), (it) => it.charCodeAt(0));
  return new Blob([bytes], { type: mediaType });
}
