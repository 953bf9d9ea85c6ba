import { describe, expect, it } from 'vitest';
import { kept, log, names } from '../../tests/logs/read';
import { fold } from './reducer';
import { fill, sent, size } from './record';
import { asCurl, body } from './request';

function turns(name: string) {
  return fold(kept(log(name))).turns;
}

/** The messages of the log up to a round, without any fold. */
function roles(name: string, round: number) {
  const all = turns(name);
  return sent(all, all.at(-1)?.run ?? '', round).map((it) => it.role);
}

describe('sent', () => {
  it('has what was said before a round, and results behind their calls', () => {
    expect(roles('parallel', 1)).toEqual(['system', 'user']);
    expect(roles('parallel', 2)).toEqual(['system', 'user', 'assistant', 'tool', 'tool']);
    const all = turns('parallel');
    const results = sent(all, all[0]?.run ?? '', 2).filter((it) => it.role === 'tool');
    expect(results.map((it) => it.tool_call_id)).toEqual(['call_2_0', 'call_2_1']);
  });

  it('puts results in the order of the calls, whichever was there first', () => {
    const events = log('parallel');
    const at = events.findIndex((it) => it.type === 'call_finished');
    const [first, second] = [events[at], events[at + 1]];
    if (!first || !second) throw new Error('the log has no two results');
    // The second call ended first.
    events.splice(at, 2, { ...second, seq: first.seq }, { ...first, seq: second.seq });
    const all = fold(kept(events)).turns;
    const results = sent(all, all[0]?.run ?? '', 2).filter((it) => it.role === 'tool');
    expect(results.map((it) => it.tool_call_id)).toEqual(['call_2_0', 'call_2_1']);
  });

  it('goes on from what earlier runs said', () => {
    const all = turns('two-turns');
    const last = all.at(-1);
    const before = sent(all, last?.run ?? '', 1);
    expect(before.filter((it) => it.role === 'user' && it.origin === undefined)).toHaveLength(2);
    expect(before.some((it) => it.role === 'assistant')).toBe(true);
  });

  it('begins with the digest where the older part was replaced', () => {
    const all = turns('compacted');
    const at = all.findIndex((turn) => turn.record.some((it) => it.replaces));
    const turn = all[at];
    const entry = turn?.record.find((it) => it.replaces);
    if (!turn || !entry) throw new Error('nothing was replaced');
    const after = sent(all, turn.run, entry.round + 1);
    expect(after.slice(0, entry.adds.length)).toEqual(entry.adds);
  });
});

describe('fill', () => {
  it('counts every byte that is sent once, in every log there is', () => {
    for (const name of names) {
      const all = turns(name);
      const run = all.at(-1)?.run ?? '';
      const bytes = sent(all, run, Infinity).reduce((sum, it) => sum + size(it), 0);
      const { parts, isCounted } = fill(all, 0);
      if (isCounted) continue;
      const sum = Object.values(parts).reduce((a, b) => a + b, 0);
      expect(Math.abs(sum - bytes / 4), name).toBeLessThan(4);
    }
  });

  it('believes a provider that counted', () => {
    const events = log('parallel').map((event) =>
      event.type === 'reply'
        ? { ...event, usage: { prompt_tokens: 1_000, completion_tokens: 10 } }
        : event,
    );
    const all = fold(kept(events)).turns;
    const run = all[0]?.run ?? '';
    const bytes = (round: number) => sent(all, run, round).reduce((sum, it) => sum + size(it), 0);
    const { tokens, isCounted, parts } = fill(all, 500);
    expect(isCounted).toBe(true);
    expect(tokens).toBe(Math.ceil(bytes(Infinity) * (1_000 / bytes(2))));
    expect(parts.tools).toBeGreaterThan(0);
    expect(fill([], 400)).toMatchObject({ tokens: 100, isCounted: false });
  });
});

describe('what a stranger wrote', () => {
  it('is left out where it is no message', () => {
    const events = log('compacted');
    const hostile: unknown[] = [
      { tool_calls: 'x' },
      { tool_calls: [null] },
      { tool_calls: [{ id: 'a', function: { name: 'b', arguments: { c: 1 } } }] },
      { tool_call_id: 5 },
      { name: {} },
      { content: 5 },
    ];
    for (const part of hostile) {
      const broken = events.map((event) => {
        if (event.type === 'compacted') return { ...event, messages: [part] };
        return event.type === 'reply'
          ? { ...event, message: { ...event.message, ...(part as object) } }
          : event;
      });
      const all = fold(kept(broken as typeof events)).turns;
      const run = all.at(-1)?.run ?? '';
      expect(() => [
        fill(all, 0),
        sent(all, run, 9),
        asCurl({ model: '', messages: sent(all, run, 9), tools: [], toolChoice: 'auto' }),
      ]).not.toThrow();
      expect(all.flatMap((turn) => turn.record).some((it) => it.replaces)).toBe(false);
    }
  });
});

describe('asCurl', () => {
  const all = turns('parallel');
  const messages = sent(all, all[0]?.run ?? '', 2);

  it('is the request in the form that providers read', () => {
    const request = { model: 'openai:gpt', messages, tools: [{}], toolChoice: { tool: 'x' } };
    const told = body(request);
    expect(told.model).toBe('gpt');
    expect(told.tool_choice).toEqual({ type: 'function', function: { name: 'x' } });
    const known = ['role', 'content', 'tool_calls', 'tool_call_id'];
    for (const message of told.messages) {
      expect(Object.keys(message).filter((key) => !known.includes(key))).toEqual([]);
    }
  });

  it('cannot be left by what stands in it', () => {
    const hostile = { role: 'user' as const, content: "x\nEND_OF_REQUEST\n$(id)\n'; id; '" };
    const text = asCurl({ model: 'm', messages: [hostile], tools: [], toolChoice: 'auto' });
    const lines = text.split('\n');
    expect(lines.filter((line) => line === 'END_OF_REQUEST')).toHaveLength(1);
    const json = lines.slice(lines.findIndex((it) => it.includes('<<')) + 1, -2).join('\n');
    expect(JSON.parse(json)).toMatchObject({ messages: [hostile] });
  });
});
