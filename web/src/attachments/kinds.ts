/** What files are, as their bytes say, and what of it this page shows. */

import type { Info } from '../api/client';
import { fixed, number } from '../i18n/format';
import { t } from '../i18n/text.svelte';

/** First bytes, from where they stand, and what they say. The server decides; this is to tell before. */
const signatures: readonly (readonly [number, string, string])[] = [
  [0, '\x89PNG\r\n\x1a\n', 'image/png'],
  [0, '\xff\xd8\xff', 'image/jpeg'],
  [0, 'GIF87a', 'image/gif'],
  [0, 'GIF89a', 'image/gif'],
  [8, 'WEBP', 'image/webp'],
  [4, 'ftyphei', 'image/heic'],
  [4, 'ftypmif1', 'image/heif'],
  [4, 'ftypavif', 'image/avif'],
  [0, '%PDF-', 'application/pdf'],
  [8, 'WAVE', 'audio/wav'],
  [0, 'ID3\x02', 'audio/mpeg'],
  [0, 'ID3\x03', 'audio/mpeg'],
  [0, 'ID3\x04', 'audio/mpeg'],
  [0, '\xff\xfb', 'audio/mpeg'],
  [0, '\xff\xf3', 'audio/mpeg'],
  [0, 'OggS', 'audio/ogg'],
  [0, 'fLaC', 'audio/flac'],
  [4, 'ftypM4A', 'audio/mp4'],
  [0, 'PK\x03\x04', 'application/zip'],
  [0, '\x1f\x8b', 'application/gzip'],
];

/** How much of a file tells what it is. */
const TOLD_BY = 4096;

/** What a file is. */
export async function detect(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, TOLD_BY).arrayBuffer());
  const begin = String.fromCharCode(...bytes.slice(0, 32));
  const found = signatures.find(([at, sign]) => begin.startsWith(sign, at));
  if (found) return found[2];
  try {
    // The last character may be cut in two.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return text.includes('\0') ? 'application/octet-stream' : 'text/plain';
  } catch {
    return 'application/octet-stream';
  }
}

/** What the page makes of something that is attached. */
export function shownAs(mediaType: string): 'picture' | 'sound' | 'file' {
  if (/^image\/(png|jpeg|gif|webp)$/.test(mediaType)) return 'picture';
  if (/^audio\/(wav|mpeg|ogg|flac|mp4)$/.test(mediaType)) return 'sound';
  return 'file';
}

/** Why this cannot be sent to the model, where that is known; undefined where it can. */
export function refusal(mediaType: string, model: Info['model'] | undefined): string | undefined {
  // A model that is wished for by name may take what the usual one does not.
  if (!model || mediaType === 'text/plain' || model.accepts.includes(mediaType)) return undefined;
  const [kind, form] = mediaType.split('/');
  const all = model.accepts.filter((it) => it.startsWith(`${kind}/`)).map((it) => it.split('/')[1]);
  const values = { forms: all.join(', '), form: form ?? '' };
  if (mediaType === 'application/pdf') return t('The model takes no PDF files.');
  if (mediaType === 'application/zip') return t('The model takes no ZIP archives.');
  if (kind === 'image') {
    return all.length > 0
      ? t('The model takes pictures as {forms} only, not {form}.', values)
      : t('The model takes no pictures.');
  }
  if (kind === 'audio') {
    return all.length > 0
      ? t('The model takes sound as {forms} only, not {form}.', values)
      : t('The model takes no sound.');
  }
  return t('The model takes no files of this kind.');
}

/** A size, for people. */
export function weight(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${number(Math.ceil(bytes / 1024))} KB`;
  // Rounded up: what is too large looks it.
  return `${fixed(Math.ceil((bytes / 1024 / 1024) * 10) / 10, 1)} MB`;
}
