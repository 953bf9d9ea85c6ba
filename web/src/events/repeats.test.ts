import { expect, it } from 'vitest';
import { AT_ONCE, firstOf, grouped, MANY } from './repeats';

/** Calls of these tools, a letter each. */
function calls(tools: string) {
  return [...tools].map((tool, index) => ({ id: `${tool}${index}`, tool }));
}

function told(tools: string): string[] {
  return grouped(calls(tools)).map(({ tool, calls: all, many }) =>
    many ? `${tool}×${all.length}` : tool,
  );
}

it('makes one of many in a row, and leaves a few as they are', () => {
  expect(MANY).toBe(4);
  expect(told('aaa')).toEqual(['a', 'a', 'a']);
  expect(told('aaaa')).toEqual(['a×4']);
  expect(told('baaaaabaa')).toEqual(['b', 'a×5', 'b', 'a', 'a']);
  expect(told('')).toEqual([]);
});

it('has every call once, in its order', () => {
  for (const tools of ['', 'a', 'abab', 'aaaabbbbbbcaaaa', 'a'.repeat(2_000)]) {
    expect(grouped(calls(tools)).flatMap((it) => it.calls)).toEqual(calls(tools));
  }
});

it('keeps the name of a group while calls join it', () => {
  expect(grouped(calls('aaaa'))[0]?.key).toBe(grouped(calls('aaaaaaa'))[0]?.key);
});

it('leaves out of very many those that nobody has to see', () => {
  const all = Array.from({ length: 2_000 }, (_, at) => at);
  const seen = firstOf(all, (it) => it === 1_234);
  expect(seen).toEqual([...all.slice(0, AT_ONCE), 1_234]);
  expect(firstOf(all.slice(0, AT_ONCE), () => false)).toHaveLength(AT_ONCE);
});
