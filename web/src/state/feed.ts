/**
 * `Feed`: the events of one conversation, from the first to those that happen right now. It loads
 * what is kept, follows what goes on, and comes back by itself when the connection is lost.
 */

import { api, ApiError, items } from '../api/client';
import { messages } from '../api/stream';
import type { Event, Item } from '../events/types';

/** How the page stands to the server. */
export type Link = 'loading' | 'live' | 'lost';

export interface Sink {
  /** Events, in order; some may come twice. */
  take(items: Item[]): void;
  link(link: Link): void;
  /** The server refused: trying again would not help. */
  refused(error: ApiError): void;
  /** The connection is back after it was lost. */
  back(): void;
  /** Other messages wait in the conversation than before. */
  queued(): void;
  /** Nobody drives the run that goes on, for this reason; until something happens. */
  undriven(why: string): void;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;

export class Feed {
  private readonly leave = new AbortController();
  private wake: (() => void) | undefined;

  constructor(
    readonly id: string,
    private readonly sink: Sink,
    /** The position of the newest event that was seen, as the server wrote it. */
    private lastSeen?: string,
  ) {}

  /** Loads what is kept, then follows. */
  open(): void {
    this.sink.link('loading');
    void this.keep(() => this.load());
  }

  /** Reads a stream that is already there, then follows. */
  continue(response: Response): void {
    this.sink.link('live');
    void this.keep(async () => {
      // What breaks off here is asked for again.
      await this.read(response).catch(() => undefined);
      if (this.lastSeen === undefined) await this.load();
    });
  }

  close(): void {
    this.leave.abort();
    this.wake?.();
  }

  /** Tries again at once, where it waits to do so. */
  hurry(): void {
    this.wake?.();
  }

  private get closed(): boolean {
    return this.leave.signal.aborted;
  }

  private async keep(begin: () => Promise<void>): Promise<void> {
    let next = begin;
    let wait = FIRST_WAIT;
    let lost = false;
    while (!this.closed) {
      try {
        await next();
        next = () =>
          this.follow(() => {
            if (lost) this.sink.back();
            lost = false;
            wait = FIRST_WAIT;
          });
      } catch (error) {
        if (this.closed) return;
        if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
          this.sink.refused(error);
          return;
        }
        lost = true;
        this.sink.link('lost');
        await this.pause(wait);
        wait = Math.min(wait * 2, LONGEST_WAIT);
      }
    }
  }

  private async load(): Promise<void> {
    for (;;) {
      const after = this.lastSeen === undefined ? undefined : Number.parseInt(this.lastSeen, 10);
      const page = await api.events(this.id, after);
      if (this.closed) return;
      this.take(items(page));
      if (page.next === undefined || page.next === null || page.events.length === 0) return;
    }
  }

  private async follow(connected: () => void): Promise<void> {
    const response = await api.follow(this.id, this.lastSeen, this.leave.signal);
    connected();
    this.sink.link('live');
    await this.read(response);
    // The server ended it, which it does when it shuts down.
    throw new Error('The stream ended.');
  }

  private async read(response: Response): Promise<void> {
    if (!response.body) return;
    for await (const { id, name, data } of messages(response.body)) {
      if (this.closed) return;
      if (name === 'queue') this.sink.queued();
      if (name === 'undriven') this.sink.undriven(reason(data));
      if (name !== undefined) continue;
      const event = parse(data);
      if (event) this.take([{ position: id, event }]);
    }
  }

  private take(items: Item[]): void {
    const last = items.at(-1)?.position;
    if (last !== undefined) this.lastSeen = last;
    if (items.length > 0) this.sink.take(items);
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function parse(data: string): Event | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null && 'type' in value
      ? (value as Event)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Why nobody drives a run, as the server says it. */
function reason(data: string): string {
  try {
    const said: unknown = JSON.parse(data);
    const why = said instanceof Object && 'message' in said ? said.message : undefined;
    return typeof why === 'string' ? why : '';
  } catch {
    return '';
  }
}
