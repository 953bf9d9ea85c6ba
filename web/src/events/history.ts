/**
 * `History`: what happened in a conversation, to be looked back at: the state behind any event.
 *
 * Every state is a fold of the events before it. Some are kept on the way, so that going from one moment to
 * another folds few events anew, and going through all of them folds each about once.
 */

import { empty, type Conversation } from './model';
import { fold } from './reducer';
import { isProvisional, type Item } from './types';

/** A moment that is looked at. */
export interface Moment {
  readonly run: string;
  /** Which of the run's events, from 0, and of how many. */
  readonly step: number;
  readonly of: number;
  /** When it happened. */
  readonly at: number;
}

/** How one looks back at a run. */
export interface Replay {
  readonly asOf: Moment | undefined;
  moments(run: string): readonly number[];
  lookBack(run?: string, step?: number): void;
}

/** So many events lie between two states that are kept. */
const EVERY = 64;

interface Steps {
  /** Where the run's events are among all. */
  readonly places: number[];
  readonly times: number[];
}

export class History {
  private readonly items: Item[] = [];
  private readonly runs = new Map<string, Steps>();
  /** The states behind 0, `EVERY`, 2 × `EVERY` … events, as far as anybody looked. */
  private readonly kept: Conversation[] = [empty];
  /** The state that was looked at last, behind so many events. */
  private last = { count: 0, state: empty };

  /** One more event. Pieces of a reply are none: they are gone with what they became. */
  add(item: Item): void {
    if (isProvisional(item.event)) return;
    const { run, at } = item.event;
    const steps = this.runs.get(run) ?? { places: [], times: [] };
    steps.places.push(this.items.length);
    steps.times.push(at);
    this.runs.set(run, steps);
    this.items.push(item);
  }

  /** When the events of a run happened, in order. */
  moments(run: string): readonly number[] {
    return this.runs.get(run)?.times ?? [];
  }

  /** The conversation behind an event of a run. */
  at(run: string, step: number): Conversation {
    const place = this.runs.get(run)?.places[step];
    return place === undefined ? empty : this.behind(place + 1);
  }

  private behind(count: number): Conversation {
    const nearest = Math.min(Math.floor(count / EVERY), this.kept.length - 1);
    let from = nearest * EVERY;
    let state = this.kept[nearest] ?? empty;
    if (this.last.count <= count && this.last.count > from) {
      ({ count: from, state } = this.last);
    }
    while (from < count) {
      const to = Math.min(count, (Math.floor(from / EVERY) + 1) * EVERY);
      state = fold(this.items.slice(from, to), state);
      if (to % EVERY === 0) this.kept[to / EVERY] ??= state;
      from = to;
    }
    this.last = { count, state };
    return state;
  }
}
