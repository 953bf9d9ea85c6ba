import { afterEach, expect, it, vi } from 'vitest';
import type { ApiError } from '../api/client';
import type { Item } from '../events/types';
import { Feed, type Link } from './feed';

/** A server that answers as it is told, in order, and then never again. */
class Server {
  readonly asked: { path: string; lastSeen: string | null }[] = [];
  private readonly answers: (() => Response | Promise<Response>)[];

  constructor(...answers: (() => Response | Promise<Response>)[]) {
    this.answers = answers;
    vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
      this.asked.push({ path, lastSeen: new Headers(init?.headers).get('last-event-id') });
      const answer = this.answers.shift();
      return answer ? Promise.resolve().then(answer) : new Promise(() => undefined);
    });
  }
}

class Reader {
  readonly seen: (string | undefined)[] = [];
  readonly links: Link[] = [];
  refusal: ApiError | undefined;
  backs = 0;
  queues = 0;
  reasons: string[] = [];
  feed: Feed | undefined;

  take(items: Item[]) {
    this.seen.push(...items.map((item) => item.position));
  }

  link(link: Link) {
    this.links.push(link);
    // Nobody wants to wait in a test.
    if (link === 'lost') queueMicrotask(() => this.feed?.hurry());
  }

  refused(error: ApiError) {
    this.refusal = error;
  }

  back() {
    this.backs++;
  }

  queued() {
    this.queues++;
  }

  undriven(why: string) {
    this.reasons.push(why);
  }
}

const event = { type: 'notice', message: '', seq: 0, run: 'r', round: 0, at: 0 };
const page = (positions: number[], next?: number) => () =>
  Response.json({ events: positions.map((position) => ({ position, event })), next });
const stream =
  (...ids: string[]) =>
  () =>
    new Response(ids.map((id) => `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
const silent = () => new Response(new ReadableStream());
const down = () => Promise.reject(new TypeError('failed to fetch'));

function open(id: string, lastSeen?: string) {
  const reader = new Reader();
  const feed = new Feed(id, reader, lastSeen);
  reader.feed = feed;
  return { reader, feed };
}

afterEach(() => vi.unstubAllGlobals());

it('loads page by page, then follows from there', async () => {
  const server = new Server(page([0, 1], 1), page([2]), stream('3.1', '3'), silent);
  const { reader, feed } = open('c');
  feed.open();
  await vi.waitFor(() => expect(server.asked).toHaveLength(4));
  feed.close();
  expect(reader.seen).toEqual(['0', '1', '2', '3.1', '3']);
  expect(server.asked.map(({ path, lastSeen }) => [path, lastSeen])).toEqual([
    ['/api/conversations/c/events?limit=5000', null],
    ['/api/conversations/c/events?after=1&limit=5000', null],
    ['/api/conversations/c/stream', '2'],
    ['/api/conversations/c/stream', '3'],
  ]);
});

it('comes back by itself, from the very piece it saw last', async () => {
  const server = new Server(page([0]), stream('1.1', '1.2'), down, down, silent);
  const { reader, feed } = open('c');
  feed.open();
  await vi.waitFor(() => expect(reader.backs).toBe(1));
  feed.close();
  expect(server.asked.at(-1)?.lastSeen).toBe('1.2');
  expect(reader.links).toEqual(['loading', 'live', 'lost', 'lost', 'lost', 'live']);
});

it('goes on with a stream that is there already', async () => {
  const server = new Server(silent);
  const { reader, feed } = open('c');
  feed.continue(stream('0', '1')());
  await vi.waitFor(() => expect(server.asked).toHaveLength(1));
  feed.close();
  expect(reader.seen).toEqual(['0', '1']);
  expect(server.asked[0]?.lastSeen).toBe('1');
});

it('loads what a stream that broke off at once did not say', async () => {
  const server = new Server(page([0]), silent);
  const { reader, feed } = open('c');
  feed.continue(new Response(''));
  await vi.waitFor(() => expect(server.asked).toHaveLength(2));
  feed.close();
  expect(reader.seen).toEqual(['0']);
});

it('tells why nobody drives a run, which is no event of it', async () => {
  const said = '{"type":"undriven","message":"It waits."}';
  const server = new Server(silent);
  const { reader, feed } = open('c');
  feed.continue(new Response(`event: undriven\ndata: ${said}\n\nevent: undriven\ndata: {\n\n`));
  await vi.waitFor(() => expect(server.asked).toHaveLength(1));
  feed.close();
  expect(reader.reasons).toEqual(['It waits.', '']);
  expect(reader.seen).toEqual([]);
});

it('does not ask again what was refused', async () => {
  const server = new Server(() =>
    Response.json({ error: { code: 'not_found', message: 'Gone.' } }, { status: 404 }),
  );
  const { reader, feed } = open('c');
  feed.open();
  await vi.waitFor(() => expect(reader.refusal?.code).toBe('not_found'));
  expect(server.asked).toHaveLength(1);
});

it('tries again where the server has too much to do', async () => {
  const busy = () => Response.json({ error: { code: 'overloaded' } }, { status: 429 });
  const server = new Server(busy, page([0]), silent);
  const { reader, feed } = open('c');
  feed.open();
  await vi.waitFor(() => expect(server.asked).toHaveLength(3));
  feed.close();
  expect(reader.seen).toEqual(['0']);
});

it('drops what it cannot read and goes on', async () => {
  const text = `id: 0\ndata: {broken\n\nid: 1\ndata: ${JSON.stringify(event)}\n\n`;
  const server = new Server(() => new Response(text), silent);
  const { reader, feed } = open('c', '0');
  feed.continue(new Response(text));
  await vi.waitFor(() => expect(server.asked.length).toBeGreaterThan(0));
  feed.close();
  expect(reader.seen[0]).toBe('1');
});
