/**
 * `Scripted`: a model that says what a test tells it to, behind the API that OpenAI's clients
 * speak. A reply can stop in the middle until the test lets it go on.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Message {
  role: string;
  content: string | null;
}

export interface Reply {
  /** What is said, piece by piece. */
  text?: string | string[];
  calls?: { name: string; args: unknown }[];
  /** After the text and before the end. */
  hold?: Promise<void>;
  /** Why it ends, where not for the usual reason. */
  finish?: string;
  /** An answer other than 200. */
  status?: number;
}

/** Says what to reply to a conversation; `asked` counts the requests. */
export type Script = (messages: Message[], asked: number) => Reply;

export class Scripted {
  /** What the model was sent, newest last. */
  readonly requests: Message[][] = [];
  /** Without it nobody is answered, where it is set. */
  key: string | undefined;

  private constructor(
    private readonly server: Server,
    public script: Script,
  ) {}

  static async start(script: Script): Promise<Scripted> {
    const server = createServer();
    const scripted = new Scripted(server, script);
    server.on('request', (request, response) => void scripted.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return scripted;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (this.key !== undefined && request.headers.authorization !== `Bearer ${this.key}`) {
      response.writeHead(401, { 'content-type': 'application/json' });
      const error = { message: 'Incorrect API key provided.', code: 'invalid_api_key' };
      response.end(JSON.stringify({ error }));
      return;
    }
    if (!request.url?.endsWith('/chat/completions')) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'scripted', object: 'model' }] }));
      return;
    }
    const { messages } = JSON.parse(body) as { messages: Message[] };
    this.requests.push(messages);
    const reply = this.script(messages, this.requests.length);
    if (reply.status !== undefined) {
      response.writeHead(reply.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'the server is in trouble' } }));
      return;
    }
    await this.stream(reply, response);
  }

  private async stream(reply: Reply, response: ServerResponse): Promise<void> {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta: unknown, finish: string | null = null) => {
      const choices = [{ index: 0, delta, finish_reason: finish }];
      const chunk = { id: 'x', object: 'chat.completion.chunk', model: 'scripted', choices };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    for (const piece of [reply.text ?? []].flat()) send({ content: piece });
    for (const [index, { name, args }] of (reply.calls ?? []).entries()) {
      const call = { name, arguments: JSON.stringify(args) };
      const id = `call_${this.requests.length}_${index}`;
      send({ tool_calls: [{ index, id, type: 'function', function: call }] });
    }
    await reply.hold;
    send({}, reply.finish ?? (reply.calls ? 'tool_calls' : 'stop'));
    response.end('data: [DONE]\n\n');
  }
}

/** Something to wait for, and how to let it happen. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
