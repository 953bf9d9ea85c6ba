/** `Draft`: what is to go with the next question. */

import type { Info } from '../api/client';
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
      const most = limits?.attachments ?? Infinity;
      if (this.files.length >= most) {
        this.trouble = `At most ${most} files go with a question.`;
        return;
      }
      if (file.size === 0) {
        this.trouble = `${file.name} is empty.`;
        continue;
      }
      const largest = limits?.attachment_bytes ?? Infinity;
      if (file.size > largest) {
        this.trouble = `${file.name} has ${weight(file.size)}, and a file may have ${weight(largest)}.`;
        continue;
      }
      // As text, bytes are a third longer; what else stands in a question is little.
      const all = this.files.reduce((sum, it) => sum + it.file.size, file.size);
      const room = ((limits?.upload_bytes ?? Infinity) - 64 * 1024) * 0.75;
      if (all > room) {
        this.trouble = `Together they have ${weight(all)}, and a question may bring ${weight(room)}.`;
        return;
      }
      const mediaType = await detect(file);
      const url = URL.createObjectURL(file);
      this.next += 1;
      const name = file.name === '' ? 'file' : file.name;
      this.files = [...this.files, { id: this.next, file, name, mediaType, url }];
    }
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
    reader.onerror = () => reject(new Error(`${name} cannot be read any more.`));
    reader.readAsDataURL(file);
  });
  return { name, data: url.slice(url.indexOf(',') + 1) };
}
