/** `Instruments`, `Chain` and `Expiries`: what can be traded. */

import { all, fields, id, number, text } from './fields';
import { readName, unitOf, type Name, type Unit } from './prices';

export interface Instrument {
  readonly title: string;
  readonly symbol?: string;
  readonly segment: string;
  readonly type?: string;
  readonly id: string;
  readonly expiry?: string;
  readonly lot?: number;
}

export interface Instruments {
  readonly kind: 'instruments';
  readonly instruments: readonly Instrument[];
}

/** One option of a chain. */
export interface Leg {
  readonly price?: number;
  readonly volatility?: number;
  readonly interest?: number;
  readonly id?: string;
}

export interface Strike {
  readonly strike: number;
  readonly call: Leg;
  readonly put: Leg;
}

export interface Chain {
  readonly kind: 'chain';
  readonly name: Name;
  readonly unit: Unit;
  readonly expiry?: string;
  /** What the underlying costs. */
  readonly spot?: number;
  /** The strike next to that. */
  readonly atTheMoney?: number;
  readonly putCallRatio?: number;
  /** The lowest first. */
  readonly strikes: readonly Strike[];
}

export interface Expiries {
  readonly kind: 'expiries';
  readonly name: Name;
  /** Days, as YYYY-MM-DD. */
  readonly days: readonly string[];
}

export function readInstruments(data: unknown): Instruments | undefined {
  const { instruments } = fields(data);
  const one = readInstrument(data);
  const found = instruments === undefined && one ? [one] : all(instruments, readInstrument);
  return found.length > 0 ? { kind: 'instruments', instruments: found } : undefined;
}

export function readChain(data: unknown): Chain | undefined {
  const it = fields(data);
  const strikes = all(it['strikes'], readStrike).sort((a, b) => a.strike - b.strike);
  if (strikes.length === 0) return undefined;
  const underlying = fields(it['underlying']);
  const spot = number(underlying['last_price']);
  return {
    kind: 'chain',
    name: readName(underlying),
    unit: underlying['exchange_segment'] === 'IDX_I' ? 'points' : unitOf(it['instrument_type']),
    expiry: text(it['expiry']),
    spot,
    atTheMoney: number(it['at_the_money']) ?? nearest(strikes, spot),
    putCallRatio: number(it['put_call_ratio']),
    strikes,
  };
}

export function readExpiries(data: unknown): Expiries | undefined {
  const days = all(fields(data)['expiries'], text);
  return days.length > 0 ? { kind: 'expiries', name: readName(data), days } : undefined;
}

/** The `most` strikes around the money, for who does not want all of them. */
export function around(chain: Chain, most: number): readonly Strike[] {
  const at = chain.strikes.findIndex((it) => it.strike === chain.atTheMoney);
  const middle = at < 0 ? Math.floor(chain.strikes.length / 2) : at;
  const last = Math.max(0, chain.strikes.length - most);
  const first = Math.min(last, Math.max(0, middle - Math.floor(most / 2)));
  return chain.strikes.slice(first, first + most);
}

function readInstrument(data: unknown): Instrument | undefined {
  const it = fields(data);
  const symbol = text(it['symbol_name']) ?? text(it['trading_symbol']) ?? text(it['symbol']);
  const title = text(it['display_name']) ?? symbol;
  const [number_, segment] = [id(it['security_id']), text(it['exchange_segment'])];
  // Candles and expiries name their instrument, too: those of a search say what a lot is.
  if (title === undefined || number_ === undefined || segment === undefined) return undefined;
  if (!('lot_size' in it)) return undefined;
  return {
    title,
    symbol: symbol === title ? undefined : symbol,
    segment,
    type: text(it['instrument_type']),
    id: number_,
    expiry: text(it['expiry']),
    lot: number(it['lot_size']),
  };
}

function readStrike(data: unknown): Strike | undefined {
  const it = fields(data);
  const strike = number(it['strike']);
  if (strike === undefined || !('call' in it || 'put' in it)) return undefined;
  return { strike, call: readLeg(it['call']), put: readLeg(it['put']) };
}

function readLeg(data: unknown): Leg {
  const it = fields(data);
  return {
    price: number(it['last_price']),
    volatility: number(it['implied_volatility']),
    interest: number(it['oi']),
    id: id(it['security_id']),
  };
}

function nearest(strikes: readonly Strike[], spot: number | undefined): number | undefined {
  if (spot === undefined) return undefined;
  const distance = (it: Strike) => Math.abs(it.strike - spot);
  return strikes.reduce((best, it) => (distance(it) < distance(best) ? it : best)).strike;
}
