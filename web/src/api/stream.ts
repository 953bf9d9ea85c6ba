/** `messages`: the server-sent events of a response. */

export interface Sent {
  id: string | undefined;
  /** The name it was sent under: events of runs have none. */
  name?: string;
  data: string;
}

/** Thrown where nothing came for longer than the server's heartbeats allow. */
export class Silence extends Error {
  override name = 'Silence';
}

/**
 * Reads a stream of server-sent events to its end. An event that the stream breaks off in is
 * dropped, as the standard asks.
 */
export async function* messages(
  body: ReadableStream<Uint8Array>,
  silenceMs = 45_000,
): AsyncGenerator<Sent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new Parser();
  try {
    for (;;) {
      const { done, value } = await within(silenceMs, reader.read());
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // Whoever stops reading leaves, and the connection is free again.
    await reader.cancel().catch(() => undefined);
  }
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Silence('Nothing came for a while.')), ms);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Cuts text into events, wherever the network cut it. */
export class Parser {
  private rest = '';
  private id: string | undefined;
  private name: string | undefined;
  private data: string[] = [];

  *push(text: string): Generator<Sent> {
    this.rest += text;
    let start = 0;
    for (;;) {
      const end = this.rest.indexOf('\n', start);
      if (end < 0) break;
      const line = this.rest.slice(start, this.rest[end - 1] === '\r' ? end - 1 : end);
      start = end + 1;
      const sent = this.line(line);
      if (sent) yield sent;
    }
    this.rest = this.rest.slice(start);
  }

  private line(line: string): Sent | undefined {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return undefined;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.data.push(value);
    if (field === 'id') this.id = value;
    if (field === 'event') this.name = value;
    return undefined;
  }

  private dispatch(): Sent | undefined {
    const { id, name } = this;
    const sent =
      this.data.length > 0
        ? { id, data: this.data.join('\n'), ...(name !== undefined && { name }) }
        : undefined;
    this.data = [];
    this.name = undefined;
    return sent;
  }
}
