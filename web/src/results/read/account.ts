/** `Positions`, `Holdings` and `Funds`: what is in an account. */

import { t } from '../../i18n/text.svelte';
import { all, fields, isFields, number, text } from './fields';

export interface Position {
  readonly symbol: string;
  /** Product and expiry, in one line. */
  readonly detail: string;
  readonly direction: 'long' | 'short' | 'closed';
  readonly quantity: number;
  readonly cost: number;
  readonly open: number;
  readonly realised: number;
}

export interface Positions {
  readonly kind: 'positions';
  readonly positions: readonly Position[];
  readonly open: number;
  readonly realised: number;
}

export interface Holding {
  readonly symbol: string;
  readonly quantity: number;
  readonly cost: number;
  readonly last?: number;
  /** What it is worth, and by how much that is more than was paid. */
  readonly value?: number;
  readonly profit?: number;
  readonly percent?: number;
}

export interface Holdings {
  readonly kind: 'holdings';
  readonly holdings: readonly Holding[];
  readonly invested: number;
  readonly value: number;
}

export interface Funds {
  readonly kind: 'funds';
  readonly available: number;
  readonly used?: number;
  readonly start?: number;
  /** The others that are not nothing, by what they are called. */
  readonly others: readonly (readonly [string, number])[];
}

export function readPositions(data: unknown): Positions | undefined {
  const it = fields(data);
  if (!Array.isArray(it['positions'])) return undefined;
  const positions = all(it['positions'], readPosition);
  if (positions.length < it['positions'].length) return undefined;
  const sum = (of: (position: Position) => number) =>
    positions.reduce((total, position) => total + of(position), 0);
  return {
    kind: 'positions',
    positions,
    open: number(it['unrealized_profit']) ?? sum((position) => position.open),
    realised: number(it['realized_profit']) ?? sum((position) => position.realised),
  };
}

export function readHoldings(data: unknown): Holdings | undefined {
  const it = fields(data);
  if (!Array.isArray(it['holdings'])) return undefined;
  const holdings = all(it['holdings'], readHolding);
  if (holdings.length < it['holdings'].length) return undefined;
  const paid = (total: number, holding: Holding) => total + holding.cost * holding.quantity;
  return {
    kind: 'holdings',
    holdings,
    invested: number(it['invested']) ?? holdings.reduce(paid, 0),
    value: number(it['value']) ?? holdings.reduce((total, one) => total + (one.value ?? 0), 0),
  };
}

const OTHERS = [
  ['withdrawable', () => t('Can be withdrawn')],
  ['collateral', () => t('From pledged shares')],
  ['receivable', () => t('From sales, to come')],
  ['blocked_payout', () => t('Blocked for payout')],
] as const;

export function readFunds(data: unknown): Funds | undefined {
  const { funds } = fields(data);
  const available = number(fields(funds)['available']);
  if (!isFields(funds) || available === undefined) return undefined;
  const others = OTHERS.map(([field, words]) => [words(), number(funds[field]) ?? 0] as const);
  return {
    kind: 'funds',
    available,
    used: number(funds['utilized']),
    start: number(funds['start_of_day']),
    others: others.filter(([, amount]) => amount !== 0),
  };
}

function readPosition(data: unknown): Position | undefined {
  const it = fields(data);
  const [symbol, quantity] = [text(it['symbol']), number(it['net_quantity'])];
  if (symbol === undefined || quantity === undefined) return undefined;
  const direction = quantity > 0 ? 'long' : quantity < 0 ? 'short' : 'closed';
  return {
    symbol,
    detail: text(it['product'])?.toLowerCase() ?? '',
    direction,
    quantity,
    cost: number(it['cost_price']) ?? 0,
    open: number(it['unrealized_profit']) ?? 0,
    realised: number(it['realized_profit']) ?? 0,
  };
}

function readHolding(data: unknown): Holding | undefined {
  const it = fields(data);
  const [symbol, quantity] = [text(it['symbol']), number(it['quantity'])];
  const cost = number(it['average_cost']);
  if (symbol === undefined || quantity === undefined || cost === undefined) return undefined;
  const last = number(it['last_price']);
  if (last === undefined) return { symbol, quantity, cost };
  const profit = (last - cost) * quantity;
  const percent = cost > 0 ? ((last - cost) / cost) * 100 : undefined;
  return { symbol, quantity, cost, last, value: last * quantity, profit, percent };
}
