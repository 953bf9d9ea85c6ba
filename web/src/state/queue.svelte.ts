/** `Queue`: what was said to a run that goes on, and no run took up yet. */

import { api, ApiError, type QueueMode, type WaitingMessage } from '../api/client';
import { encoded, forget, type Picked } from '../attachments/draft.svelte';
import type { Event } from '../events/types';

export class Queue {
  /** The oldest first. */
  waiting = $state.raw<readonly WaitingMessage[]>([]);
  /** What was taken up, or taken back: an answer that comes late does not bring it back. */
  private readonly gone = new Set<string>();

  constructor(
    private readonly id: () => string | undefined,
    private readonly attempt: (work: () => Promise<void>) => Promise<boolean>,
  ) {}

  /** Asks the server what waits. */
  async load(): Promise<void> {
    const id = this.id();
    if (id === undefined) return;
    const waiting = await api.waiting(id);
    this.waiting = waiting.filter((it) => !this.gone.has(it.id));
  }

  /** Something else waits, and no event says what. */
  async changed(): Promise<void> {
    try {
      await this.load();
    } catch {
      // It is asked again whenever a run ends, and when the connection comes back.
    }
  }

  /** Lets a message wait, for a run without these tools where that was changed. `idle` where nothing goes on that could take it up. */
  async put(
    message: string,
    mode: QueueMode,
    files: readonly Picked[],
    toolsOff?: readonly string[],
  ): Promise<'waits' | 'idle' | 'failed'> {
    let idle = false;
    const done = await this.attempt(async () => {
      const id = this.id();
      if (id === undefined) return;
      try {
        const attachments = await Promise.all(files.map(encoded));
        const more = attachments.length > 0 ? { attachments } : {};
        const off = toolsOff === undefined ? {} : { tools_off: toolsOff };
        await api.say(id, { message, mode, ...more, ...off });
        forget(files);
        await this.load();
      } catch (error) {
        idle = error instanceof ApiError && error.code === 'idle';
        if (!idle) throw error;
      }
    });
    if (!done) return 'failed';
    return idle ? 'idle' : 'waits';
  }

  /** Takes a message back. `taken` where a run was first. */
  async withdraw(message: string): Promise<'gone' | 'taken' | 'failed'> {
    const id = this.id();
    if (id === undefined) return 'failed';
    let taken = false;
    const done = await this.attempt(async () => {
      try {
        await api.withdraw(id, message);
      } catch (error) {
        taken = error instanceof ApiError && (error.status === 404 || error.code === 'taken_up');
        if (!taken) throw error;
      }
      this.drop(message);
    });
    if (!done) return 'failed';
    return taken ? 'taken' : 'gone';
  }

  /** An event may take a message up. */
  heard(event: Event): void {
    if (event.type === 'message' && typeof event.queued === 'string') this.drop(event.queued);
  }

  private drop(message: string): void {
    this.gone.add(message);
    if (this.waiting.some((it) => it.id === message)) {
      this.waiting = this.waiting.filter((it) => it.id !== message);
    }
  }
}
