/**
 * `shownResults`: the results of a run that are shown in the chat as what they are, where the calls
 * happened: what was changed, drawn, listed or printed. What a sentence says as well stays a chip.
 */

import type { Call, Result, Turn } from '../events/model';
import { callsOf } from '../events/read';
import { MANY } from '../events/repeats';
import { view, type View } from '../results/view';

/** How much a reader wants to see each kind: the larger, the sooner it is opened. */
const WEIGHT: Partial<Record<View['kind'], number>> = {
  diff: 9,
  candles: 8,
  chain: 7,
  positions: 7,
  holdings: 7,
  statistics: 7,
  videos: 6,
  quotes: 5,
  shell: 4,
  instruments: 3,
  hits: 2,
  source: 2,
  tree: 2,
};

/** What only led to something else is opened by the reader alone. */
const OPENED = 4;
/** So many are open at once, and so many have a line of their own; the chips lead to the others. */
const OPEN = 2;
const LINES = 8;

export interface ShownResult {
  readonly call: Call;
  readonly result: Result;
  /** Whether it is open before the reader says anything. */
  readonly open: boolean;
}

/** Results do not change, and reading one is not free. */
const read = new WeakMap<Result, View['kind'] | 'none'>();

function kindOf({ tool, arguments: args, result }: Call): View['kind'] | 'none' {
  if (!result) return 'none';
  let kind = read.get(result);
  if (kind === undefined) {
    kind = view({ tool, args, data: result.data, text: result.text })?.kind ?? 'none';
    read.set(result, kind);
  }
  return kind;
}

/** How much a result is worth seeing; 0 for one that stays a chip. */
function weigh(call: Call): number {
  const kind = kindOf(call);
  if (kind === 'none') return 0;
  // What a command printed before it failed is why it did.
  if (call.result?.status !== 'success' && kind !== 'shell') return 0;
  return WEIGHT[kind] ?? 0;
}

/**
 * What is shown of a run, by call. Nothing opens while the run goes on: what is read does not move. With
 * the answer there, those that say most are opened, the later ones first.
 */
export function shownResults(turn: Turn): ReadonlyMap<string, ShownResult> {
  const weighed = callsOf(turn).flatMap((call, at) => {
    const weight = weigh(call);
    return weight > 0 && call.result ? [{ call, result: call.result, weight, at }] : [];
  });
  // Which of thirty files led there, no line can say.
  const led = new Map<string, number>();
  for (const { call, weight } of weighed) {
    if (weight < OPENED) led.set(call.tool, (led.get(call.tool) ?? 0) + 1);
  }
  const best = weighed
    .filter(({ call, weight }) => weight >= OPENED || (led.get(call.tool) ?? 0) < MANY)
    .sort((a, b) => b.weight - a.weight || b.at - a.at);
  const lines = new Set(best.slice(0, LINES));
  const isOver = turn.endedAt !== undefined && !turn.cut;
  const open = new Set(best.filter((it) => isOver && it.weight >= OPENED).slice(0, OPEN));
  const shown = weighed.filter((it) => lines.has(it));
  return new Map(
    shown.map((it) => [it.call.id, { call: it.call, result: it.result, open: open.has(it) }]),
  );
}
