/** `session`: what the whole page shares: the server's settings, the list, the open conversation. */

import {
  api,
  whenSignedOut,
  type AnswerBody,
  type DecisionBody,
  type Identity,
  type Info,
  type Options,
  type QueueMode,
} from '../api/client';
import { Draft } from '../attachments/draft.svelte';
import { fileName, parse, write, type Exported } from '../events/export';
import type { Selection, Turn } from '../events/model';
import type { Attachment, Event, Json } from '../events/types';
import { t } from '../i18n/text.svelte';
import { save } from '../parts/save';
import { visibleLine } from '../parts/visible';
import { format, parse as parseAddress } from './address';
import { Chat } from './chat.svelte';
import { List } from './list.svelte';
import { problemOf, type Problem } from './problem';
import { settings } from './settings.svelte';
import { Writing } from './writing.svelte';

/** Which pane a narrow screen shows. */
export type Pane = 'list' | 'chat' | 'flow';

class Session {
  info = $state.raw<Info>();
  /** Who is signed in. */
  who = $state.raw<Identity>();
  signedOut = $state(false);
  problem = $state.raw<Problem>();
  /** A short word about something that was done. */
  word = $state('');
  readonly list = new List();
  chat = $state.raw<Chat>(this.newChat());
  selected = $state.raw<Selection>();
  /** What the address names in the conversation, until it is there and shown. */
  wanted = $state.raw<Selection>();
  pane = $state<Pane>('chat');
  /** Whether the Flow has the page to itself. */
  full = $state(false);
  /** The question being written. */
  readonly writing = new Writing();
  /** What is to go with it. */
  readonly attached = new Draft();
  /** Whether the tools are shown. */
  toolsOpen = $state(false);
  /** The runs that are compared; chosen there where only one is named. */
  comparing = $state.raw<{ left: string; right?: string }>();
  /** Whether a model is about to be connected. */
  connecting = $state(false);
  /** Whether the sheet of shortcuts is open. */
  help = $state(false);
  /** Whether the older part of the conversation is replaced with the next question. */
  compacting = $state(false);
  /** Whether the page is a file that was exported: there is no server. */
  standalone = false;
  private file: Json | undefined;
  /** For which question what answers was told to get ready: the one after so many turns of a conversation. */
  private readied: { chat: Chat; turns: number } | undefined;
  /** The version that stands in the address, of those that are not the newest. */
  private named: string | undefined;
  /** Whether the conversation shown is still to be named in the address: a new one is, once it has an id. */
  private nameless = true;

  readonly task = $derived.by(() => {
    const tasks = this.info?.tasks ?? [];
    return (
      tasks.find((task) => task.name === settings.kept.task) ??
      tasks.find((task) => task.name === this.info?.task) ??
      tasks[0]
    );
  });

  /** How many decisions and answers wait for the reader, in whichever conversation. */
  readonly waiting = $derived.by(() => {
    const others = this.list.items.filter((item) => item.id !== this.chat.id);
    return others.reduce((sum, item) => sum + (item.waiting ?? 0), this.chat.waiting);
  });

  begin(): void {
    whenSignedOut(() => (this.signedOut = true));
    void this.load();
    this.writing.open(draftOf(this.chat));
    this.fromAddress();
    $effect.root(() => {
      $effect(() => this.writing.keep(draftOf(this.chat)));
      $effect(() => this.attachFound());
      $effect(() => this.nameVersion());
    });
    addEventListener('hashchange', () => this.fromAddress());
    document.addEventListener('visibilitychange', () => {
      this.chat.woken(document.hidden);
      if (!document.hidden) void this.list.refresh();
    });
    addEventListener('online', () => this.chat.woken(false));
  }

  /** Opens one of the list's conversations, at a run where one is named. */
  open(id: string, run?: string): void {
    location.hash = format(run === undefined ? { id } : { id, run });
    this.pane = 'chat';
    this.full = false;
  }

  /** An empty page for a new question. */
  startNew(): void {
    if (location.hash !== '') history.pushState(null, '', location.pathname);
    this.show(this.newChat());
    this.pane = 'chat';
    this.full = false;
  }

  select(selected: Selection | undefined): void {
    this.selected = selected;
    if (selected?.call !== undefined) {
      settings.kept.flow = true;
      if (this.pane === 'chat') this.pane = 'flow';
    }
  }

  /** A link that leads to what is looked at; none for what the server does not keep. */
  link({ run, call }: Selection): string | undefined {
    const { id } = this.chat;
    if (id === undefined) return undefined;
    return `${location.origin}${location.pathname}${format({ id, run, call })}`;
  }

  /** What the address named is there. */
  arrive(): void {
    const { wanted } = this;
    this.wanted = undefined;
    this.select(wanted);
  }

  /** Opens or closes the conversations: a pane of its own, or on narrow screens over the chat. */
  showList(open: boolean): void {
    if (matchMedia('(max-width: 900px)').matches) this.pane = open ? 'list' : 'chat';
    else settings.kept.list = open;
  }

  get listShown(): boolean {
    return matchMedia('(max-width: 900px)').matches ? this.pane === 'list' : settings.kept.list;
  }

  /** Asks, with what is attached. What could not be sent is not lost. */
  async ask(message: string, replaces?: string): Promise<boolean> {
    if (this.attached.refused(this.model).length > 0) return false;
    this.selected = undefined;
    const files = this.attached.take();
    const sent = await this.chat.send(message, this.options(), files, replaces);
    if (sent) this.compacting = false;
    else this.attached.restore(files);
    return sent;
  }

  /** A question is being written: what answers gets ready meanwhile. Once for each question. */
  getReady(): void {
    const { chat } = this;
    const turns = chat.conversation.turns.length;
    const isReady = this.readied?.chat === chat && this.readied.turns === turns;
    // A model of the user's is asked nothing before they ask.
    if (isReady || !this.model?.offline) return;
    this.readied = { chat, turns };
    // Nobody waits for it; whoever asks is told what is wrong.
    api.warm(this.task?.name).catch(() => undefined);
  }

  /** Sends what is written: as a question, or to the run that goes on. What could not be sent is back where it was. */
  async submit(mode: QueueMode): Promise<void> {
    const { chat } = this;
    const written = this.writing.take(draftOf(chat));
    const sent = await (chat.live
      ? this.steer(written.text, mode)
      : this.ask(written.text, written.replaces));
    if (sent) return;
    if (chat === this.chat) this.writing.restore(written);
    else this.writing.putAside(draftOf(chat), written);
  }

  /** Says something to the run that goes on, with what is attached. What could not be sent is not lost. */
  private async steer(message: string, mode: QueueMode): Promise<boolean> {
    if (this.attached.refused(this.model).length > 0) return false;
    const { chat } = this;
    const files = this.attached.take();
    const put = await chat.queue.put(message, mode, files, chat.switched);
    if (put === 'waits') return true;
    // The run ended meanwhile: it is the next question.
    const sent = put === 'idle' && (await chat.send(message, this.options(), files));
    if (!sent) this.attached.restore(files);
    return sent;
  }

  /** Whether settings and rules are theirs who look at the page. */
  get isAdmin(): boolean {
    return this.who?.scopes.includes('admin') ?? false;
  }

  /** What answers, where it is known what that takes. */
  get model(): Info['model'] | undefined {
    const { model } = settings.kept;
    return model.trim() === '' || model === this.info?.model.name ? this.info?.model : undefined;
  }

  attach(files: Iterable<File>): Promise<void> {
    return this.attached.add(files, this.info?.limits);
  }

  /** Puts an earlier question into the field, to be asked in its place; without one, takes it out again. */
  edit(turn?: Pick<Turn, 'run' | 'question' | 'attachments'>): void {
    this.attached.clear();
    if (!turn) return void this.writing.take(draftOf(this.chat));
    this.writing.edit(turn.run, turn.question);
    this.pane = 'chat';
    void this.attachAgain(turn.attachments);
  }

  /** Attaches again what went with a question whose edit was found in the browser, once the question is there. */
  private attachFound(): void {
    const { found } = this.writing;
    const turn = this.chat.latest.runs.find(({ run }) => run === found);
    if (!turn || this.chat.link === 'loading') return;
    this.writing.found = undefined;
    void this.attachAgain(turn.attachments);
  }

  /** Fetches what went with an earlier question, to go with this one. */
  private async attachAgain(attachments: readonly Attachment[]): Promise<void> {
    const { chat } = this;
    for (const attachment of attachments) {
      try {
        const blob = await chat.attachment(attachment);
        if (this.writing.replaces === undefined || chat !== this.chat) return;
        await this.attach([new File([blob], attachment.name ?? t('file'))]);
      } catch (error) {
        this.attached.trouble = t('{name}: {reason}', {
          name: attachment.name ?? t('A file'),
          reason: problemOf(error).message,
        });
      }
    }
  }

  async retry(): Promise<void> {
    this.selected = undefined;
    await this.chat.retry(this.options());
  }

  /** Asks for the rest of an answer that was cut off. What is being written stays where it is. */
  async continue(): Promise<void> {
    this.selected = undefined;
    await this.chat.send('Continue exactly where your answer was cut off.', this.options());
  }

  decide(decision: DecisionBody): Promise<void> {
    return this.chat.decide(decision);
  }

  answer(answer: AnswerBody): Promise<void> {
    return this.chat.answer(answer);
  }

  /** Goes on from a point in a new conversation, which is a copy of what leads there. */
  async fork(after: { run: string; seq?: number }): Promise<void> {
    const { id } = this.chat;
    if (id === undefined) return;
    try {
      const made = await api.fork(id, after);
      this.list.put(made);
      this.open(made.id);
      this.say(t('This is a copy up to there. The other conversation stays as it is.'));
    } catch (error) {
      this.say(problemOf(error).message);
    }
  }

  async remove(id: string): Promise<void> {
    await this.list.remove(id);
    this.writing.forget(id);
    if (this.chat.id === id) this.startNew();
  }

  /** Shows an exported file, which stays as it is. */
  async openFile(file: File): Promise<void> {
    this.openText(file.name, await file.text());
  }

  /** The same of its text. */
  openText(name: string, text: string): void {
    const parsed = parse(text);
    if (!parsed.ok) return this.say(`${name}: ${parsed.error}`);
    if (location.hash !== '') history.pushState(null, '', location.pathname);
    const { title, events, attachments } = parsed.file;
    const items = events.map((event) => ({ event }));
    this.show(Chat.opened(title ?? name, items, attachments));
    this.file = JSON.parse(text) as Json;
    this.pane = 'chat';
  }

  /** Writes a file: of a conversation, or of one run. */
  async export(id: string | undefined, run?: string): Promise<void> {
    try {
      const file = id === undefined ? this.file : await api.exported(id);
      if (file === undefined) return;
      const { events, attachments } = file as unknown as {
        events: Event[];
        attachments?: Exported[];
      };
      const text =
        run === undefined ? `${JSON.stringify(file)}\n` : write(events, run, attachments);
      save(fileName(run ?? id ?? ''), text);
    } catch (error) {
      this.say(problemOf(error).message);
    }
  }

  /** Writes the conversation in front of the reader as a file to read, or to look at without a server. */
  async exportAs(form: 'markdown' | 'html'): Promise<void> {
    const { id, file: name, summary, conversation } = this.chat;
    const title = visibleLine(name ?? summary?.title ?? '');
    try {
      const { asHtml, asMarkdown } = await import('../events/documents');
      const of = fileName(conversation.id ?? '').replace(/\.json$/, '');
      if (form === 'markdown') return save(`${of}.md`, asMarkdown(title, conversation.turns));
      const file = id === undefined ? this.file : await api.exported(id);
      const [script, style] = await Promise.all([api.text('/viewer.js'), api.text('/viewer.css')]);
      save(`${of}.html`, asHtml({ title, file: JSON.stringify(file), script, style }));
    } catch (error) {
      this.say(problemOf(error).message);
    }
  }

  /** Adds the opened file to the conversations the server keeps. */
  async keepFile(): Promise<void> {
    if (this.file === undefined) return;
    const { id } = this.chat.conversation;
    try {
      const { events } = await api.import(this.file);
      await this.list.refresh();
      this.say(events > 0 ? t('Added to your conversations.') : t('It was among them already.'));
      if (id !== undefined) this.open(id);
    } catch (error) {
      this.say(problemOf(error).message);
    }
  }

  say(word: string): void {
    this.word = word;
  }

  /** With what the next question is asked. */
  options(): Options {
    const { model, toolMode } = settings.kept;
    const { toolsOff } = this.chat;
    return {
      tools_off: toolsOff.length > 0 ? toolsOff : undefined,
      task: this.task?.name,
      model: model.trim() === '' ? undefined : model.trim(),
      tool_mode: toolMode === '' ? undefined : toolMode,
      access_token: settings.accessToken === '' ? undefined : settings.accessToken,
      compact: this.compacting ? true : undefined,
    };
  }

  /** Asks what the server says of itself again: a setting changed. */
  async reload(): Promise<void> {
    this.info = await api.info();
  }

  private async load(): Promise<void> {
    void this.list.refresh();
    try {
      [this.info, this.who] = await Promise.all([api.info(), api.identity()]);
      this.problem = undefined;
    } catch (error) {
      this.problem = problemOf(error);
      if (!this.signedOut) setTimeout(() => void this.load(), 3_000);
    }
  }

  /** The address names the conversation, so that back and reload work. */
  private fromAddress(): void {
    const { id, run, call } = parseAddress(location.hash);
    const wanted = run === undefined ? undefined : call === undefined ? { run } : { run, call };
    if (id === (this.chat.id ?? '')) {
      this.wanted = wanted;
      return;
    }
    if (id === '') return this.startNew();
    const known = this.list.items.find((item) => item.id === id);
    const summary = known ?? {
      id,
      title: '',
      created_at: 0,
      updated_at: 0,
      runs: 0,
      messages: 0,
      state: 'idle' as const,
    };
    const chat = Chat.kept(summary, (it) => this.moved(it));
    this.show(chat);
    this.wanted = wanted;
    void chat.refresh();
  }

  /** The address names the version that is shown, where that is not the newest: a reload leads back to it. */
  private nameVersion(): void {
    const { id, version } = this.chat;
    const address = parseAddress(location.hash);
    if (id === undefined || address.id !== id || version === this.named) return;
    this.named = version;
    history.replaceState(null, '', format(version === undefined ? { id } : { id, run: version }));
  }

  private newChat(): Chat {
    return new Chat(undefined, (chat) => this.moved(chat));
  }

  private show(chat: Chat): void {
    this.chat.close();
    this.chat = chat;
    this.selected = undefined;
    this.wanted = undefined;
    this.compacting = false;
    this.file = undefined;
    this.named = undefined;
    this.nameless = chat.id === undefined;
    if (this.writing.replaces !== undefined) this.attached.clear();
    this.writing.open(draftOf(chat));
  }

  /** A conversation got its id, or another state. */
  private moved(chat: Chat): void {
    if (chat.summary) this.list.put(chat.summary);
    if (chat === this.chat) this.nameNew();
  }

  /**
   * A new conversation is named in the address as soon as it has an id. Never again, and never in place of another: an
   * address that changed while its event is still on the way is where the reader goes.
   */
  private nameNew(): void {
    const { id } = this.chat;
    if (!this.nameless || id === undefined) return;
    this.nameless = false;
    if (parseAddress(location.hash).id === '') history.replaceState(null, '', format({ id }));
  }
}

/** Under which name a draft is kept. One that has no id yet is the one and only new one. */
function draftOf(chat: Chat): string {
  return chat.id ?? 'new';
}

export const session = new Session();
