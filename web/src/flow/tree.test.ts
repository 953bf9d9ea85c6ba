import { describe, expect, it } from 'vitest';
import { edited } from './decide';
import { find, inLine, leadsTo, SEARCHED } from './tree';
import { duration, looks, ticking, withoutMark } from './words';

const value = {
  instruments: [
    { id: 13, name: 'Nifty 50' },
    { id: 25, name: 'Bank Nifty' },
  ],
  'a/b': null,
};

describe('a search', () => {
  it('finds keys and values, and what leads to them', () => {
    const found = find(value, 'bank');
    expect([...found.hits]).toEqual(['/instruments/1/name']);
    expect([...found.above].sort()).toEqual(['', '/instruments', '/instruments/1']);
    expect(find(value, 'INSTR').hits.has('/instruments')).toBe(true);
    expect([...find(value, 'a/b').hits]).toEqual(['/a~1b']);
    expect(find(value, 'null').hits.has('/a~1b')).toBe(true);
    expect(find(value, 'nothing').hits.size).toBe(0);
  });

  it('gives up before the page freezes', () => {
    const rows = Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 'x'));
    expect(find(rows, 'x').partly).toBe(true);
    expect(find(rows, 'x').hits.size).toBeLessThan(SEARCHED + 300);
  });

  it('goes as deep as the value does', () => {
    let deep: unknown = 'needle';
    for (let level = 0; level < 3_000; level += 1) deep = [deep];
    expect(find(deep as never, 'needle').hits.size).toBe(1);
  });
});

describe('a value in one line', () => {
  it.each([
    [{ query: 'NIFTY', limit: 5 }, 'query: NIFTY, limit: 5'],
    [{ securities: { IDX_I: [13] } }, 'securities: {"IDX_I":[13]}'],
    [{ all: Array.from({ length: 99 }, () => 1) }, 'all: 99 items'],
    [{}, ''],
    ['{"cut', '{"cut'],
  ])('%j', (it, said) => expect(inLine(it)).toBe(said));

  it('is cut', () => expect(inLine({ a: 'b '.repeat(999) }).length).toBe(121));
});

describe('pointers', () => {
  it('lead to what is below them, and not to what begins alike', () => {
    expect(leadsTo('/a', '/a/b')).toBe(true);
    expect(leadsTo('/a', '/ab')).toBe(false);
    expect(leadsTo('', '/a')).toBe(true);
    expect(leadsTo('/a', undefined)).toBe(false);
  });
});

describe('times', () => {
  it.each([
    [0, '0 ms'],
    [0.14, '0.1 ms'],
    [4, '4 ms'],
    [176.4, '176 ms'],
    [999.6, '1.0 s'],
    [59_400, '59 s'],
    [125_000, '2 min 5 s'],
    [-5, '0 ms'],
  ])('%d', (ms, said) => expect(duration(ms)).toBe(said));

  it('tick in tenths', () => expect([ticking(1_240), ticking(61_000)]).toEqual(['1.2 s', '61 s']));
});

describe('looks', () => {
  it('differ in more than colour', () => {
    const icons = Object.values(looks).map((look) => look.icon);
    expect(new Set(icons).size).toBe(icons.length);
  });

  it('leave the mark of a result out', () => {
    expect(withoutMark('❌ Refused: no')).toBe('no');
    expect(withoutMark('✅ Success!\n\nFunds')).toBe('Funds');
    expect(withoutMark('plain')).toBe('plain');
  });
});

describe('edited arguments', () => {
  it('are an object', () => {
    expect(edited('{"a": 1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(edited('[1]').ok).toBe(false);
    expect(edited('null').ok).toBe(false);
    expect(edited('{').ok).toBe(false);
  });
});
