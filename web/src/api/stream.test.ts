import { describe, expect, it } from 'vitest';
import { messages, Parser, Silence } from './stream';

function all(pieces: string[]) {
  const parser = new Parser();
  return pieces.flatMap((piece) => [...parser.push(piece)]);
}

describe('Parser', () => {
  const text = ': hello\n\nid: 0\ndata: {"a":1}\n\nid: 1.1\r\ndata: x\r\ndata:  y\r\n\r\ndata: cut';
  const expected = [
    { id: '0', data: '{"a":1}' },
    { id: '1.1', data: 'x\n y' },
  ];

  it('reads events and leaves comments and the unfinished rest out', () => {
    expect(all([text])).toEqual(expected);
  });

  it('does not care where the network cuts', () => {
    for (let size = 1; size < 9; size++) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect(all(pieces)).toEqual(expected);
    }
  });

  it('keeps the id for events without one', () => {
    expect(all(['id: 4\ndata: a\n\ndata: b\n\n'])).toEqual([
      { id: '4', data: 'a' },
      { id: '4', data: 'b' },
    ]);
  });
});

describe('a name', () => {
  it('is of one event alone', () => {
    expect(all(['id: 4\ndata: a\n\nevent: queue\ndata: {}\n\ndata: b\n\n'])).toEqual([
      { id: '4', data: 'a' },
      { id: '4', name: 'queue', data: '{}' },
      { id: '4', data: 'b' },
    ]);
  });
});

describe('messages', () => {
  it('joins characters that were cut in two', async () => {
    const bytes = new TextEncoder().encode('data: ₹ and é\n\n');
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    const seen = [];
    for await (const message of messages(body)) seen.push(message.data);
    expect(seen).toEqual(['₹ and é']);
  });

  it('gives up on a stream that says nothing, and lets go of it', async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled = true) });
    await expect(messages(body, 1).next()).rejects.toBeInstanceOf(Silence);
    expect(cancelled).toBe(true);
  });
});
