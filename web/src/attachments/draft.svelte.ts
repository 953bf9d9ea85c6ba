/** `Draft`: what is to go with the next question. */

import type { Info } from '../api/client';
import { t } from '../i18n/text.svelte';
import { detect, refusal, weight } from './kinds';

/** A file that was picked, dropped or pasted. */
export interface Picked {
  readonly id: number;
  readonly file: File;
  readonly name: string;
  readonly mediaType: string;
  /** Where the page itself finds it, to show it. */
  readonly url: string;
}

/** A file as it is sent. */
export interface Sent {
  name: string;
  data: string;
}

export class Draft {
  files = $state.raw<readonly Picked[]>([]);
  /** Why something was not taken. */
  trouble = $state('');
  private next = 0;

  /** Adds files, up to what may go with a question. */
  async add(files: Iterable<File>, limits: Info['limits'] | undefined): Promise<void> {
    this.trouble = '';
    for (const file of files) {
      const mediaType = await detect(file).catch(() => undefined);
      // From here on nothing waits: what is here is what is counted.
      const reason =
        mediaType === undefined
          ? t('{name} cannot be read.', { name: file.name })
          : this.excess(file, limits);
      if (mediaType === undefined || reason !== undefined) {
        this.trouble = reason ?? '';
        continue;
      }
      this.next += 1;
      const name = file.name === '' ? t('file') : file.name;
      const url = URL.createObjectURL(file);
      this.files = [...this.files, { id: this.next, file, name, mediaType, url }];
    }
  }

  /** Why one more is too much. */
  private excess(file: File, limits: Info['limits'] | undefined): string | undefined {
    if (file.size === 0) return t('{name} is empty.', { name: file.name });
    if (!limits) return undefined;
    const { attachments: most, attachment_bytes: largest, upload_bytes: upload } = limits;
    if (this.files.length >= most)
      return t('At most {count} files go with a question.', { count: most });
    if (file.size > largest) {
      return t('{name} has {size}, and a file may have {most}.', {
        name: file.name,
        size: weight(file.size),
        most: weight(largest),
      });
    }
    // As text, bytes are a third longer; what else stands in a question is little.
    const all = this.files.reduce((sum, it) => sum + it.file.size, file.size);
    const room = Math.max(0, upload - 64 * 1024) * 0.75;
    if (all <= room) return undefined;
    return t('Together they have {size}, and a question may bring {most}.', {
      size: weight(all),
      most: weight(room),
    });
  }

  remove(id: number): void {
    const gone = this.files.find((it) => it.id === id);
    if (gone) URL.revokeObjectURL(gone.url);
    this.files = this.files.filter((it) => it.id !== id);
    this.trouble = '';
  }

  /** Takes everything out, to be sent. Who takes it forgets it. */
  take(): readonly Picked[] {
    const { files } = this;
    this.files = [];
    this.trouble = '';
    return files;
  }

  /** Puts back what could not be sent. */
  restore(files: readonly Picked[]): void {
    this.files = [...files, ...this.files];
  }

  clear(): void {
    forget(this.take());
  }

  /** Why what is here cannot go to this model. */
  refused(model: Info['model'] | undefined): { id: number; reason: string }[] {
    return this.files.flatMap(({ id, mediaType }) => {
      const reason = refusal(mediaType, model);
      return reason === undefined ? [] : [{ id, reason }];
    });
  }
}

export function forget(files: readonly Picked[]): void {
  for (const { url } of files) URL.revokeObjectURL(url);
}

/** A file as it is sent: what it is, the server finds out. */
export async function encoded({ file, name }: Picked): Promise<Sent> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error(t('{name} cannot be read any more.', { name })));
    reader.readAsDataURL(file);
  });
  return { name, data: url.slice(url.indexOf(',') + 1) };
}
