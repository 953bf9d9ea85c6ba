/** `Candles` and `Quotes`: what a market says about prices. */

import { t } from '../../i18n/text.svelte';
import { all, fields, id, isFields, list, number, text } from './fields';
import { decimal, rupees } from './figures';
import { INDIA, instant, zoneOf } from './moments';

/** What an instrument is called. */
export interface Name {
  readonly title: string;
  /** Symbol, segment and id, in one line. */
  readonly detail: string;
}

export interface Candle {
  /** Seconds since 1970. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export interface Candles {
  readonly kind: 'candles';
  readonly name: Name;
  /** How long each is: `1d`, `15m`. */
  readonly interval: string;
  readonly zone: string;
  readonly unit: Unit;
  /** The oldest first, and no two of the same time. */
  readonly candles: readonly Candle[];
}

/** What prices are in: nobody can pay the points of an index. */
export type Unit = 'rupees' | 'points';

export interface Quote {
  readonly name: Name;
  readonly unit: Unit;
  readonly last: number;
  readonly change?: number;
  readonly percent?: number;
  readonly open?: number;
  readonly high?: number;
  readonly low?: number;
  readonly previous?: number;
  readonly average?: number;
  readonly volume?: number;
  readonly interest?: number;
  readonly circuit?: readonly [number, number];
  readonly bid?: number;
  readonly ask?: number;
  readonly traded?: Date;
  readonly market?: string;
  readonly isStale: boolean;
}

export interface Quotes {
  readonly kind: 'quotes';
  readonly quotes: readonly Quote[];
  /** What there is no quote for, in sentences. */
  readonly missing: readonly string[];
  readonly zone: string;
}

/** A price in its unit. */
export function price(amount: number, unit: Unit): string {
  return unit === 'rupees' ? rupees(amount) : decimal(amount);
}

export function readCandles(data: unknown): Candles | undefined {
  const { candles, columns, interval, timezone, instrument_type } = fields(data);
  const rows = list(candles);
  const read = candleReader(columns);
  const byTime = new Map<number, Candle>();
  for (const candle of all(rows, read)) byTime.set(candle.time, candle);
  // Half a chart would mislead: where some rows are no candles, this is something else.
  if (byTime.size === 0 || byTime.size < rows.length / 2) return undefined;
  return {
    kind: 'candles',
    name: readName(data),
    interval: text(interval) ?? '',
    zone: zoneOf(timezone),
    unit: unitOf(instrument_type),
    candles: [...byTime.values()].sort((a, b) => a.time - b.time),
  };
}

export function readQuotes(data: unknown): Quotes | undefined {
  const { quotes, missing } = fields(data);
  const read = all(quotes, readQuote);
  if (read.length === 0) return undefined;
  return { kind: 'quotes', quotes: read, missing: all(missing, text), zone: INDIA };
}

export function readName(data: unknown): Name {
  const it = fields(data);
  const symbol = text(it['symbol_name']) ?? text(it['symbol']) ?? text(it['trading_symbol']);
  const title = text(it['display_name']) ?? symbol ?? t('Instrument');
  const own = symbol === title ? undefined : symbol;
  const detail = [own, text(it['exchange_segment']), id(it['security_id'])];
  return { title, detail: detail.filter((part) => part !== undefined).join(' · ') };
}

export function unitOf(type: unknown): Unit {
  return type === 'INDEX' ? 'points' : 'rupees';
}

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** Reads rows of figures in the order of `columns`, and objects with those names. */
function candleReader(columns: unknown): (row: unknown) => Candle | undefined {
  const order = list(columns).length > 0 ? list(columns) : COLUMNS;
  const places = COLUMNS.map((name) => order.indexOf(name));
  return (row) => {
    const figures = isFields(row)
      ? COLUMNS.map((name) => number(row[name]))
      : places.map((place) => number(list(row)[place]));
    const [time, open, high, low, close, volume = 0] = figures;
    if (time === undefined || open === undefined || close === undefined) return undefined;
    if (high === undefined || low === undefined || !isTime(time)) return undefined;
    return { time, open, high, low, close, volume };
  };
}

/** Whether it is a whole second between 1970 and 2200. */
function isTime(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= 0 && seconds < 7_258_118_400;
}

function readQuote(data: unknown): Quote | undefined {
  const it = fields(data);
  const last = number(it['last_price']);
  if (last === undefined || !('change' in it || 'previous_close' in it || 'open' in it)) {
    return undefined;
  }
  const [lower, upper] = [number(it['lower_circuit']), number(it['upper_circuit'])];
  const depth = fields(it['depth']);
  return {
    name: readName(it),
    unit: unitOf(it['instrument_type']),
    last,
    change: number(it['change']),
    percent: number(it['change_percent']),
    open: number(it['open']),
    high: number(it['high']),
    low: number(it['low']),
    previous: number(it['previous_close']),
    average: some(it['average_price']),
    volume: some(it['volume']),
    interest: some(it['open_interest']),
    circuit: lower !== undefined && upper !== undefined ? [lower, upper] : undefined,
    bid: best(depth['buy']),
    ask: best(depth['sell']),
    traded: instant(it['last_trade_time']),
    market: text(it['market']),
    isStale: it['stale'] === true,
  };
}

/** A figure that is something: an index has no volume, and says 0. */
function some(value: unknown): number | undefined {
  const figure = number(value);
  return figure === 0 ? undefined : figure;
}

function best(levels: unknown): number | undefined {
  return some(fields(list(levels)[0])['price']);
}
