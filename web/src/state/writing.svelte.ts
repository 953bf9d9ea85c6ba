/**
 * `Writing`: the question being written, and in whose place it would be asked. Kept in the browser until it is
 * sent: a question of its own and an earlier one that is being changed each by themselves, so that neither
 * is ever taken for the other.
 */

import { Drafts } from './drafts';

export class Writing {
  text = $state('');
  /** The run in whose place it would be asked; undefined for a question of its own. */
  replaces = $state<string>();
  /** An edit that was found in the browser, until what went with the question is attached again. */
  found = $state<string>();
  private readonly drafts = new Drafts();

  /** Keeps what is written. Called whenever it changes. */
  keep(conversation: string): void {
    this.drafts.put(nameOf(conversation, this.replaces), this.text);
  }

  /** Goes on with what was written in a conversation. */
  open(conversation: string): void {
    const edited = this.drafts.under(nameOf(conversation, ''));
    this.replaces = edited?.rest;
    this.found = edited?.rest;
    this.text = edited?.text ?? this.drafts.of(conversation);
  }

  /** Puts an earlier question into the field. */
  edit(run: string, question: string): void {
    [this.replaces, this.found, this.text] = [run, undefined, question];
  }

  /** Takes out what is written; where that was an edit, what was written before it is back. */
  take(conversation: string): Written {
    const { text, replaces } = this;
    if (replaces !== undefined) this.drafts.put(nameOf(conversation, replaces), '');
    [this.replaces, this.found] = [undefined, undefined];
    this.text = replaces === undefined ? '' : this.drafts.of(conversation);
    return { text: text.trim(), replaces };
  }

  /** Puts back what could not be sent, before what was written since. */
  restore({ text, replaces }: Written): void {
    const since = replaces === undefined && this.text !== '' ? `\n\n${this.text}` : '';
    [this.replaces, this.text] = [replaces, text + since];
  }

  /** The same in a conversation that is not looked at any more. */
  putAside(conversation: string, { text, replaces }: Written): void {
    this.drafts.put(nameOf(conversation, replaces), text);
  }

  forget(conversation: string): void {
    this.drafts.put(conversation, '');
    const edited = this.drafts.under(nameOf(conversation, ''));
    if (edited) this.drafts.put(nameOf(conversation, edited.rest), '');
  }

  forgetAll(): void {
    [this.replaces, this.found, this.text] = [undefined, undefined, ''];
    this.drafts.clear();
  }
}

/** What was written, and in whose place it is asked. */
export interface Written {
  readonly text: string;
  readonly replaces: string | undefined;
}

/** No id has a line break. */
function nameOf(conversation: string, run: string | undefined): string {
  return run === undefined ? conversation : `${conversation}\n${run}`;
}
