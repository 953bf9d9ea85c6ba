import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { readFunds, readHoldings, readPositions } from './account';
import { around, readChain, readExpiries, readInstruments } from './instruments';
import { price, readCandles, readQuotes } from './prices';

function data(name: string): Record<string, unknown> {
  const file = new URL(`../../../tests/results/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).data;
}

it('candles are read in the order of their columns', () => {
  const read = readCandles(data('candles-15m'));
  expect(read?.candles).toHaveLength(25);
  expect(read?.candles[0]).toEqual({
    time: 1794541500,
    open: 1355.5,
    high: 1356.6,
    low: 1354.6,
    close: 1355.3,
    volume: 133213,
  });
  expect(read).toMatchObject({ interval: '15m', zone: 'Asia/Kolkata', unit: 'rupees' });
  const turned = { columns: ['close', 'time', 'open', 'high', 'low'], candles: [[4, 60, 1, 5, 0]] };
  expect(readCandles(turned)?.candles).toEqual([
    { time: 60, open: 1, high: 5, low: 0, close: 4, volume: 0 },
  ]);
  const named = { candles: [{ time: 60, open: 1, high: 5, low: 0, close: 4, volume: 9 }] };
  expect(readCandles(named)?.candles[0]?.volume).toBe(9);
});

it('candles are in order, and one for each time', () => {
  const row = (time: number, close: number) => [time, 1, 9, 0, close, 0];
  const read = readCandles({ candles: [row(120, 2), row(60, 3), row(120, 4)] });
  expect(read?.candles.map(({ time, close }) => [time, close])).toEqual([
    [60, 3],
    [120, 4],
  ]);
});

it('what is not mostly candles is none', () => {
  const good = [60, 1, 9, 0, 4, 0];
  expect(readCandles({ candles: [good, null, ['x']] })).toBeUndefined();
  expect(readCandles({ candles: [] })).toBeUndefined();
  expect(readCandles({ candles: [[1e18, 1, 9, 0, 4, 0]] })).toBeUndefined();
  expect(readCandles({ candles: [[60, 1, Infinity, 0, 4, 0]] })).toBeUndefined();
});

it('a quote says what there is to say', () => {
  const [index, share] = readQuotes(data('quotes'))?.quotes ?? [];
  expect(index).toMatchObject({
    name: { title: 'Nifty 50', detail: 'NIFTY · IDX_I · 13' },
    unit: 'points',
    last: 25715,
  });
  expect(index?.volume).toBeUndefined();
  expect(index?.circuit).toBeUndefined();
  expect(share).toMatchObject({
    unit: 'rupees',
    change: 11.6,
    percent: 0.86,
    circuit: [1215.2, 1485.2],
    isStale: false,
  });
  expect(price(share?.last ?? 0, 'rupees')).toBe('₹1,361.80');
  expect(price(index?.last ?? 0, 'points')).toBe('25,715.00');
});

it('a search and a find are the same to look at', () => {
  const found = readInstruments(data('instruments'))?.instruments ?? [];
  expect(found).toHaveLength(10);
  expect(found[1]).toEqual({
    title: 'NIFTY NOV FUT',
    symbol: 'NIFTY-Nov2026-FUT',
    segment: 'NSE_FNO',
    type: 'FUTIDX',
    id: '44523279',
    expiry: '2026-11-23',
    lot: 65,
  });
  expect(readInstruments(data('instrument'))?.instruments).toMatchObject([
    { title: 'Reliance Industries', id: '2885' },
  ]);
  expect(readInstruments(data('expiries'))).toBeUndefined();
});

it('a chain is cut around the money', () => {
  const chain = readChain(data('chain'));
  if (!chain) throw new Error('no chain');
  expect(chain).toMatchObject({
    spot: 25715,
    atTheMoney: 25700,
    putCallRatio: 0.97,
    expiry: '2026-11-17',
    unit: 'points',
  });
  const strikes = (most: number) => around(chain, most).map(({ strike }) => strike);
  expect(strikes(3)).toEqual([25650, 25700, 25750]);
  expect(strikes(99)).toHaveLength(17);
  const at = (atTheMoney: number) =>
    around({ ...chain, atTheMoney }, 3).map(({ strike }) => strike);
  expect(at(25300)).toEqual([25300, 25350, 25400]);
  expect(at(26100)).toEqual([26000, 26050, 26100]);
});

it('the money is found where nobody says where it is', () => {
  const strikes = [10, 20, 30].map((strike) => ({ strike, call: null, put: { last_price: 1 } }));
  const chain = readChain({ strikes, underlying: { last_price: 24 } });
  expect(chain?.atTheMoney).toBe(20);
  expect(chain?.strikes[0]?.call.price).toBeUndefined();
});

it('expiries are days', () => {
  expect(readExpiries(data('expiries'))?.days).toHaveLength(6);
  expect(readExpiries({ expiries: [] })).toBeUndefined();
});

it('positions and holdings add up', () => {
  const positions = readPositions(data('positions'));
  expect(positions?.positions.map(({ direction }) => direction)).toEqual([
    'long',
    'short',
    'long',
    'closed',
  ]);
  expect(positions).toMatchObject({ open: 87.5, realised: 74 });
  const { realized_profit: _, unrealized_profit: __, ...without } = data('positions');
  expect(readPositions(without)).toMatchObject({ open: 87.5, realised: 74 });
  const holdings = readHoldings(data('holdings'));
  expect(holdings).toMatchObject({ invested: 235714.5, value: 251323 });
  expect(holdings?.holdings[0]?.profit).toBeCloseTo(-1732.5);
  expect(holdings?.holdings[0]?.percent).toBeCloseTo(-4.84, 2);
  expect(
    readHoldings({ holdings: [{ symbol: 'A', quantity: 1, average_cost: 0, last_price: 1 }] })
      ?.holdings[0]?.percent,
  ).toBeUndefined();
});

it('an empty account is something to look at', () => {
  expect(readPositions({ positions: [] })?.positions).toEqual([]);
  expect(readHoldings({ holdings: [] })).toMatchObject({ invested: 0, value: 0 });
});

it('funds leave out what is nothing', () => {
  expect(readFunds(data('funds'))).toMatchObject({
    available: 83989.12,
    used: 416010.88,
    others: [['Can be withdrawn', 83989.12]],
  });
  expect(readFunds({ funds: { available: 'much' } })).toBeUndefined();
});
