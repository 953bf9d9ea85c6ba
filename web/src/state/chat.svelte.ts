/**
 * `Chat`: the conversation in front of the reader. Either one that the server keeps, a new one
 * that begins with the first question, or a file that was opened.
 */

import {
  api,
  ApiError,
  type AnswerBody,
  type DecisionBody,
  type Options,
  type Summary,
} from '../api/client';
import { encoded, forget, type Picked } from '../attachments/draft.svelte';
import { blobOf } from '../attachments/source';
import type { Exported } from '../events/export';
import { pathTo, tipOf } from '../events/branches';
import { empty, type Conversation } from '../events/model';
import { History, type Moment } from '../events/history';
import { turnState, waitingIn } from '../events/read';
import { fold } from '../events/reducer';
import type { Attachment, Item, Json } from '../events/types';
import { t } from '../i18n/text.svelte';
import { Feed, type Link } from './feed';
import { problemOf, type Problem } from './problem';
import { Queue } from './queue.svelte';
import { Switches } from './switches';

/** How long a hidden tab with nothing going on keeps its connection. Browsers lend six of them. */
const HIDDEN_MS = 60_000;

/** A question that was sent and has not come back as an event yet. */
export interface Pending {
  readonly text: string;
  /** What goes with it for the first time. */
  readonly files: readonly Picked[];
  /** What went with it before. */
  readonly attachments: readonly Attachment[];
}

export class Chat {
  /** The name of the file this is, where it is one. */
  readonly file: string | undefined;
  /** All that is known. */
  latest = $state.raw<Conversation>(empty);
  /** The run whose version is looked at, where that is not the newest. */
  private chosen = $state<string>();
  /** The newest run of the version that is looked at, where that is not the newest. */
  get version(): string | undefined {
    return this.chosen;
  }

  /** The moment that is looked back at; undefined for now. */
  asOf = $state.raw<Moment>();
  /** What happened, to be looked back at. */
  private readonly history = new History();
  /** What is shown: the newest version, or the one that was chosen. */
  readonly conversation = $derived.by((): Conversation => {
    const { latest, chosen, asOf } = this;
    if (asOf) return this.history.at(asOf.run, asOf.step);
    return chosen === undefined ? latest : { ...latest, turns: pathTo(latest.runs, chosen) };
  });
  summary = $state.raw<Summary>();
  link = $state<Link>('live');
  /** Why nobody drives the run that goes on, until something happens. */
  undriven = $state<string>();
  /** Why the last thing that was asked for did not happen. */
  problem = $state.raw<Problem>();
  pending = $state.raw<Pending>();
  readonly id = $derived(this.summary?.id);
  /** What somebody switched off since the last question. */
  switched = $state.raw<readonly string[]>();
  private readonly switches = new Switches();
  /** The tools that are off for the next question: as for the last, where nobody said otherwise. */
  readonly toolsOff = $derived(
    this.switched ?? this.conversation.turns.at(-1)?.toolsOff ?? ([] as readonly string[]),
  );
  private sending = $state(false);

  /** Whether the last run has no end yet. */
  readonly open = $derived.by(() => {
    const last = this.latest.runs.at(-1);
    return last !== undefined && turnState(last) === 'running';
  });
  /** Whether the last run was cut short and nobody works on it. */
  readonly unfinished = $derived(
    this.open && !this.sending && this.summary?.state === 'unfinished' && this.link !== 'loading',
  );
  /** Whether there is no such conversation, or not any more. */
  readonly gone = $derived(this.problem?.final === true);
  /** Whether somebody works on an answer. */
  readonly live = $derived.by(
    () => this.file === undefined && (this.sending || (this.open && !this.unfinished)),
  );

  /** The calls that wait for somebody to decide. */
  readonly undecided = $derived.by(() => {
    const last = this.latest.runs.at(-1);
    return last && this.live ? waitingIn(last) : [];
  });
  /** How many they are. */
  readonly waiting = $derived(this.undecided.length);

  /** What was said to the run that goes on and waits to be taken up. */
  readonly queue = new Queue(
    () => this.id,
    (work) => this.attempt(work),
  );

  private feed: Feed | undefined;
  /** What arrived since the page was painted. */
  private behind: Conversation = empty;
  private painting = false;
  private hiding: ReturnType<typeof setTimeout> | undefined;
  /** What an opened file carries, by digest. */
  private carried = new Map<string, string>();

  constructor(
    file?: string,
    private readonly changed: (chat: Chat) => void = () => undefined,
  ) {
    this.file = file;
  }

  /** A conversation the server keeps. */
  static kept(summary: Summary, changed: (chat: Chat) => void): Chat {
    const chat = new Chat(undefined, changed);
    chat.summary = summary;
    chat.switched = chat.switches.of(summary.id);
    chat.follow(summary.id).open();
    return chat;
  }

  /** A file. */
  static opened(name: string, items: readonly Item[], attachments: readonly Exported[] = []): Chat {
    const chat = new Chat(name);
    chat.carried = new Map(attachments.map((it) => [it.digest, it.data]));
    chat.fold(items);
    chat.latest = chat.behind;
    return chat;
  }

  /** When the events of a run happened, in order. */
  moments(run: string): readonly number[] {
    // Whatever is new is painted with this.
    void this.latest;
    return [...this.history.moments(run)];
  }

  /** Shows everything as it was behind an event of a run; without one, as it is now. */
  lookBack(run?: string, step = 0): void {
    const moments = run === undefined ? [] : this.history.moments(run);
    const at = moments[step];
    this.asOf =
      run === undefined || at === undefined ? undefined : { run, step, of: moments.length, at };
  }

  close(): void {
    clearTimeout(this.hiding);
    this.feed?.close();
    this.feed = undefined;
  }

  /** The tab was hidden or shown, or the network came back. */
  woken(hidden: boolean): void {
    clearTimeout(this.hiding);
    if (hidden) {
      this.hiding = setTimeout(() => {
        if (this.feed && !this.live) this.close();
      }, HIDDEN_MS);
      return;
    }
    const id = this.id;
    if (this.feed) this.feed.hurry();
    else if (id !== undefined && !this.problem?.final) {
      const { position } = this.behind;
      this.follow(id, position < 0 ? undefined : String(position)).open();
    }
  }

  /** The bytes of something that is attached here. */
  async attachment({ digest, media_type }: Attachment): Promise<Blob> {
    if (this.id !== undefined) return api.attachment(this.id, digest);
    const data = this.carried.get(digest);
    if (data === undefined) throw new Error(t('it is not in the file'));
    return blobOf(data, media_type);
  }

  /** Shows another version of a question, and what followed it. */
  choose(run: string): void {
    this.asOf = undefined;
    const { runs } = this.latest;
    const tip = tipOf(runs, run);
    this.chosen = tip === runs.at(-1)?.run ? undefined : tip;
  }

  /** Asks behind what is shown, or in the place of a run. */
  async send(
    message: string,
    options: Options,
    files: readonly Picked[] = [],
    insteadOf?: string,
  ): Promise<boolean> {
    this.pending = { text: message, files, attachments: [] };
    const place = insteadOf === undefined ? this.after : { instead_of: insteadOf };
    const sent = await this.begin(async () => {
      const attachments = await Promise.all(files.map(encoded));
      const more = attachments.length > 0 ? { attachments } : {};
      return api.send({ message, ...more, conversation_id: this.id, ...place, ...options });
    });
    if (!sent) this.pending = undefined;
    else if (this.id !== undefined) this.switches.forget(this.id);
    return sent;
  }

  /** The end of what is shown, where that is not where a question goes by itself. */
  private get after(): { after?: { run: string } } {
    const last = this.conversation.turns.at(-1);
    return this.chosen === undefined || !last ? {} : { after: { run: last.run } };
  }

  /** Switches tools on or off for what is asked from now on. */
  switch(names: readonly string[], on: boolean): void {
    const others = this.toolsOff.filter((it) => !names.includes(it));
    this.switched = on ? others : [...others, ...names].sort();
    if (this.id !== undefined) this.switches.put(this.id, this.switched);
  }

  /** Calls a tool by hand: a run without a model, in a conversation of its own. */
  call(tool: string, args: Json, options: Options): Promise<boolean> {
    const { task, access_token } = options;
    return this.begin(() => api.call(tool, { arguments: args, task, access_token }));
  }

  retry(options: Options): Promise<boolean> {
    const last = this.conversation.turns.at(-1);
    const which = this.after.after ?? {};
    if (last) this.pending = { text: last.question, files: [], attachments: last.attachments };
    return this.begin((id) => api.retry(id, { ...which, ...options })).then((sent) => {
      if (!sent) this.pending = undefined;
      return sent;
    });
  }

  resume(): Promise<boolean> {
    return this.begin((id) => api.resume(id));
  }

  async stop(): Promise<void> {
    await this.attempt(async () => {
      if (this.id !== undefined) await api.stop(this.id);
    });
  }

  /** Passes a refusal on: the card that asked shows it. */
  async decide(decision: DecisionBody): Promise<void> {
    if (this.id !== undefined) await api.decide(this.id, decision);
  }

  async answer(answer: AnswerBody): Promise<void> {
    if (this.id !== undefined) await api.answer(this.id, answer);
  }

  /** Asks the server what became of the conversation. */
  async refresh(): Promise<void> {
    const id = this.id;
    if (id === undefined) return;
    try {
      this.summary = await api.conversation(id);
      this.changed(this);
      await this.queue.load();
    } catch {
      // The next event or the next reload will tell.
    }
  }

  /** Starts a run. Its answer is read from the conversation's own stream, which every tab follows. */
  private async begin(ask: (id: string) => Promise<Response>): Promise<boolean> {
    if (this.sending) return false;
    this.asOf = undefined;
    this.sending = true;
    const done = await this.attempt(async () => {
      const response = await ask(this.id ?? '');
      const id = response.headers.get('x-conversation-id') ?? this.id;
      if (this.feed) {
        void response.body?.cancel();
      } else if (id !== null && id !== undefined) {
        this.summary ??= fresh(id, titleOf(this.pending));
        this.follow(id).continue(response);
      }
      if (this.summary) this.summary = { ...this.summary, state: 'running' };
      this.changed(this);
    });
    if (!done) this.sending = false;
    return done;
  }

  private async attempt(work: () => Promise<void>): Promise<boolean> {
    this.problem = undefined;
    try {
      await work();
      return true;
    } catch (error) {
      this.problem = problemOf(error);
      return false;
    }
  }

  private follow(id: string, lastSeen?: string): Feed {
    this.feed?.close();
    this.undriven = undefined;
    const feed = new Feed(
      id,
      {
        take: (items) => this.take(items),
        link: (link) => (this.link = link),
        refused: (error: ApiError) => {
          this.close();
          this.problem = { ...problemOf(error), final: true };
        },
        back: () => void this.refresh(),
        queued: () => void this.queue.changed(),
        undriven: (why) => (this.undriven = why === '' ? undefined : why),
      },
      lastSeen,
    );
    this.feed = feed;
    return feed;
  }

  private fold(items: readonly Item[]): void {
    this.behind = fold(items, this.behind, (item) => this.history.add(item));
  }

  private take(items: Item[]): void {
    const runs = this.behind.runs.length;
    let ended = false;
    if (items.length > 0) this.undriven = undefined;
    this.fold(items);
    for (const { event } of items) {
      this.queue.heard(event);
      ended ||= event.type === 'done' || event.type === 'error';
    }
    this.paint();
    const began = this.behind.runs.length > runs;
    // Whatever begins is what is looked at.
    if (began) this.chosen = undefined;
    if (began && this.link === 'live' && this.summary) {
      this.summary = { ...this.summary, state: 'running' };
    }
    if (ended && this.link === 'live') void this.refresh();
  }

  /** Shows what arrived: once per frame, however much it is. */
  private paint(): void {
    if (this.painting) return;
    this.painting = true;
    const show = () => {
      if (!this.painting) return;
      this.painting = false;
      this.show(this.behind);
    };
    // A hidden tab gets no frames.
    requestAnimationFrame(show);
    setTimeout(show, 100);
  }

  private show(next: Conversation): void {
    const before = this.latest.runs;
    this.latest = next;
    const last = next.runs.at(-1);
    if (!last || this.link === 'loading') return;
    const moved = next.runs.length > before.length || last.seq > (before.at(-1)?.seq ?? -1);
    if (moved) this.sending = false;
    if (moved && (last.question !== '' || last.attachments.length > 0)) {
      forget(this.pending?.files ?? []);
      this.pending = undefined;
    }
  }
}

/** What a conversation is called that begins so: in one line, as the server calls it. */
function titleOf(pending: Pending | undefined): string {
  const words = pending?.text.replace(/[ \t\r\n]+/g, ' ').trim() ?? '';
  return words || pending?.files[0]?.name || '';
}

function fresh(id: string, title: string): Summary {
  const now = Date.now();
  return {
    id,
    title,
    created_at: now,
    updated_at: now,
    runs: 1,
    messages: 0,
    state: 'running',
  };
}
