/**
 * `api`: what the server can be asked, one function each. Everything goes to the page's own
 * origin; the session cookie travels by itself, and the page's key with each request.
 */

import type { AnyMessage, Event, Item, Json, QuestionAnswer } from '../events/types';
import { t } from '../i18n/text.svelte';
import { dropKey, key } from './key';

export interface Summary {
  id: string;
  title: string;
  /** Milliseconds since 1970. */
  created_at: number;
  updated_at: number;
  runs: number;
  messages: number;
  state: 'idle' | 'unfinished' | 'running';
  /** How many decisions and answers of the user it waits for. */
  waiting?: number;
  last_answer?: string;
  /** Where the words were found, in answers to a search. */
  excerpt?: string;
  /** The run in which they stand. */
  run?: string;
  /** Whose it is, for those who see everybody's. */
  owner?: string;
}

export interface Task {
  name: string;
  title: string;
  description: string;
  starters: string[];
}

/** A rule that was given with "always". */
export interface GivenRule {
  number: number;
  text: string;
}

/** A task as it is written. */
export interface TaskFile {
  name: string;
  title: string;
  description: string;
  written_by: 'built_in' | 'user' | 'project' | 'config';
  path?: string;
  packs: string[];
  sources: string[];
  tools?: string[];
  instructions: string;
  /** Whether it can be chosen here. */
  offered: boolean;
  problem?: string;
}

export interface Info {
  version: string;
  model: {
    name: string;
    offline: boolean;
    describe: string;
    /** What it takes as it is, by media type. Text files it is given as text. */
    accepts: string[];
    /** Models on this machine that could be asked in its place, as `--model` names them. */
    found: string[];
    /** How many tokens it reads at most. */
    window: number;
    /** At how many of them the older part of a conversation is replaced by a digest. */
    compacts_at: number;
  };
  tasks: Task[];
  /** The default task. */
  task: string;
  notices: string[];
  auth: 'local' | 'token';
  /** Whether settings can be changed here: a model connected, say. */
  managed: boolean;
  limits: {
    rounds: number;
    /** How much may be attached to a question, and how large one may be. */
    attachments: number;
    attachment_bytes: number;
    /** How large a question may be with all that comes with it, in base64. */
    upload_bytes: number;
  };
}

/** Instructions, a skill or a command of the project's or of the user's. */
export interface ContextSource {
  kind: 'instructions' | 'skill' | 'command';
  name: string;
  path: string;
  level: 'user' | 'project' | 'server';
  bytes: number;
  cut: number;
  tokens: number;
  state: 'used' | 'not_approved' | 'invalid' | 'shadowed';
  about: string;
}

/** What the model is told of the project. */
export interface ProjectContext {
  told: boolean;
  tokens: number;
  sources: ContextSource[];
  commands: { name: string; description: string; argument_hint?: string }[];
  notices: string[];
}

export interface Tool {
  name: string;
  description: string;
  parameters: Json;
  effect: string;
  /** The source it comes from, where it is not one of the program's own. */
  source?: string;
  /** What it comes from: `pack`, `mcp`, `openapi`, `commands`, `agents`, `skills`. */
  origin: string;
  pack?: string;
  /** How its calls are treated. */
  policy: Policy;
  /** The rules about it. */
  rules: string[];
  /** Why it is out of order for now. */
  unavailable?: string;
}

/** How calls of a tool are treated. Times are words: `30s`. */
export interface Policy {
  timeout?: string;
  idle_timeout?: string;
  retry?: { attempts: number };
  breaker?: { failures: number; cooldown: string };
  cache?: { ttl: string; entries: number };
  rate?: { per_run?: number; calls?: number; period?: string; max_concurrent?: number };
  redact?: string[];
}

/** The tools of a task, and where they come from. */
export interface ToolsOfTask {
  tools: Tool[];
  /** Those that are not offered, or a whole source (`NAME__*`). */
  withheld: { tool: string; reason: string }[];
  sources: { name: string; kind: string; tools: number; problem?: string }[];
}

/** An MCP server, and where it stands. */
export interface McpServer {
  name: string;
  /** The words that are started, or the address. */
  reached: string;
  state: 'off' | 'starting' | 'ready' | 'login' | 'failed';
  problem?: string;
  tools: number;
  approved: number;
}

/** A tool that an MCP server lists. */
export interface McpTool {
  name: string;
  state: 'approved' | 'new' | 'changed';
  digest: string;
  definition: { [key: string]: Json };
  /** What was approved, where that is another. */
  approved?: { [key: string]: Json };
  problem?: string;
}

export interface McpServerDetails extends McpServer {
  software?: string;
  protocol?: string;
  instructions?: string;
  listed: McpTool[];
  stderr: string[];
}

/** An MCP server to add: a program, or an address. */
export interface NewMcpServer {
  name: string;
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  url?: string;
  headers?: Record<string, string>;
  network?: boolean;
  read?: string[];
  write?: string[];
}

/** What some runs used. */
export interface Used {
  runs: number;
  failed: number;
  prompt_tokens: number;
  cached_tokens: number;
  completion_tokens: number;
  cost_millionths?: number;
}

/** How a tool did. */
export interface ToolUse {
  tool: string;
  calls: number;
  failed: number;
  stopped: number;
  median_ms: number;
  p95_ms: number;
  total_ms: number;
}

export interface Usage {
  /** A day is told in days since 1970. */
  days: (Used & { day: number })[];
  models: (Used & { model: string })[];
  tools: ToolUse[];
}

/** With what a question is asked. */
export interface Options {
  access_token?: string;
  task?: string;
  model?: string;
  tool_mode?: string;
  /** Whether the older part of the conversation is replaced by a digest first. */
  compact?: boolean;
  /** The tools that are off, by name. */
  tools_off?: readonly string[];
}

export interface Question extends Options {
  message: string;
  attachments?: { name: string; data: string }[];
  conversation_id?: string;
  /** The run in whose place it is asked. */
  instead_of?: string;
  /** The run behind which it is asked. */
  after?: { run: string; seq?: number };
}

/** What a message to a run waits for: its next step, or its end. */
export type QueueMode = 'steer' | 'next';

/** A message that waits for a run to take it up. */
export interface WaitingMessage {
  id: string;
  mode: QueueMode;
  /** Since when, in milliseconds since 1970. */
  at: number;
  message: AnyMessage;
}

export interface Saying {
  message: string;
  mode: QueueMode;
  attachments?: { name: string; data: string }[];
  tools_off?: readonly string[];
}

export type Verdict = 'allow' | 'always' | 'deny' | 'edit';

/** The answer to a tool's question. */
export type AnswerBody = { call_id: string; question_id: string } & QuestionAnswer;

export interface DecisionBody {
  call_id: string;
  fingerprint: string;
  verdict: Verdict;
  reason?: string;
  arguments?: Json;
}

/** Who is signed in, and what they may do. */
export interface Identity {
  readonly name: string;
  /** Whose their conversations are; nothing where there is one user. */
  readonly owner?: string;
  readonly scopes: readonly ('ask' | 'decide' | 'admin')[];
  readonly way: string;
}

/** A way to sign in. */
export interface SignInWay {
  readonly kind: string;
  readonly label: string;
  /** Where the browser goes for it. */
  readonly path: string;
}

export interface Imported {
  conversations: number;
  runs: number;
  events: number;
  known: number;
}

/** What the server says when it does not do what was asked. */
export class ApiError extends Error {
  override name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly advice?: string,
  ) {
    super(message);
  }
}

/** The request did not reach the server, or its answer did not come back. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

const words: Record<number, () => string> = {
  401: () => t('This browser is not signed in.'),
  403: () => t('You may not do this here.'),
  404: () => t('It is not there any more.'),
  413: () => t('That is too long.'),
  429: () => t('The server has too much to do.'),
};

/** Reads the reason out of an answer that is not a success. */
async function refusal(response: Response): Promise<ApiError> {
  const fallback =
    words[response.status]?.() ??
    t('The server answered with {status}.', { status: String(response.status) });
  try {
    const body = (await response.json()) as {
      error?: { code?: unknown; message?: unknown; advice?: unknown };
    };
    const { code, message, advice } = body.error ?? {};
    // Somebody is known, and may do less: what to do about it stands nowhere in the request.
    if (code === 'scope') {
      return new ApiError(403, code, t('You may not do this here. Ask whoever runs the server.'));
    }
    return new ApiError(
      response.status,
      typeof code === 'string' ? code : 'internal',
      typeof message === 'string' && message !== '' ? message : fallback,
      typeof advice === 'string' ? advice : undefined,
    );
  } catch {
    return new ApiError(response.status, 'internal', fallback);
  }
}

let signedOut = (): void => undefined;

/** Says what to do when the server does not know this browser (any more). */
export function whenSignedOut(act: () => void): void {
  signedOut = act;
}

/** Asks, and throws `ApiError` or `Unreachable` unless the answer is a success. */
export async function ask(
  method: string,
  path: string,
  body?: unknown,
  init?: { signal?: AbortSignal; headers?: Record<string, string> },
): Promise<Response> {
  const headers: Record<string, string> = { 'x-toolwright-key': key(), ...init?.headers };
  // The server wants every request with a method that changes something to say what it carries.
  if (method !== 'GET' && method !== 'DELETE') headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: headers['content-type'] ? JSON.stringify(body ?? {}) : undefined,
      signal: init?.signal,
    });
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    throw new Unreachable(t('The server cannot be reached.'));
  }
  if (response.status === 401) signedOut();
  if (!response.ok) throw await refusal(response);
  return response;
}

export async function json<T>(method: string, path: string, body?: unknown): Promise<T> {
  return (await (await ask(method, path, body)).json()) as T;
}

function query(values: Record<string, string | number | undefined>): string {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  if (entries.length === 0) return '';
  return `?${new URLSearchParams(entries.map(([key, value]) => [key, String(value)]))}`;
}

function at(id: string, rest = ''): string {
  return `/api/conversations/${encodeURIComponent(id)}${rest}`;
}

/** What a model was sent in a round, as the server makes it once more from the log. */
export interface RoundRequest {
  readonly model: string;
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** JSON, in the provider's own form. */
  readonly body: string;
  readonly curl: string;
}

export const api = {
  info: () => json<Info>('GET', '/api/info'),
  identity: () => json<Identity>('GET', '/api/identity'),
  /** How people sign in; none where the server does not say. Nobody has to be known for it. */
  signInWays: async (): Promise<SignInWay[]> => {
    try {
      const response = await fetch('/api/sign-in');
      if (!response.ok) return [];
      return ((await response.json()) as { ways: SignInWay[] }).ways;
    } catch {
      return [];
    }
  },
  context: (task: string) => json<ProjectContext>('GET', `/api/context${query({ task })}`),
  tools: (task: string) => json<ToolsOfTask>('GET', `/api/tools${query({ task })}`),

  mcpServers: () => json<{ servers: McpServer[]; file?: string }>('GET', '/api/mcp'),
  mcpServer: (name: string) =>
    json<McpServerDetails>('GET', `/api/mcp/${encodeURIComponent(name)}`),
  addMcpServer: (server: NewMcpServer) => json<McpServerDetails>('POST', '/api/mcp', server),
  removeMcpServer: async (name: string) =>
    void (await ask('DELETE', `/api/mcp/${encodeURIComponent(name)}`)),
  /** Each tool with the digest of what was shown. */
  approveMcpTools: (name: string, tools: Record<string, string>) =>
    json<McpServerDetails>('POST', `/api/mcp/${encodeURIComponent(name)}/approve`, { tools }),

  /** Of so many days, as they are where the reader is. */
  usage: (days: number) =>
    json<Usage>('GET', `/api/usage${query({ days, offset: -new Date().getTimezoneOffset() })}`),

  conversations: (wanted: { q?: string; before?: string; limit?: number; owner?: string }) =>
    json<{ conversations: Summary[]; next?: string; owners?: string[] }>(
      'GET',
      `/api/conversations${query(wanted)}`,
    ),
  conversation: (id: string) => json<Summary>('GET', at(id)),
  rename: (id: string, title: string) => json<Summary>('PATCH', at(id), { title }),
  remove: async (id: string) => void (await ask('DELETE', at(id))),
  events: (id: string, after: number | undefined) =>
    json<{ events: { position: number; event: Event }[]; next?: number }>(
      'GET',
      at(id, `/events${query({ after, limit: 5000 })}`),
    ),
  request: (id: string, run: string, round: number, by: { task?: string; model?: string }) =>
    json<RoundRequest>(
      'GET',
      at(id, `/runs/${encodeURIComponent(run)}/rounds/${round}/request${query(by)}`),
    ),
  /** The bytes of something that is attached, as what the server lets a page show. */
  attachment: async (id: string, digest: string) =>
    (await ask('GET', at(id, `/attachments/${digest}`))).blob(),
  /** A file of the page's own. */
  text: async (path: string) => (await ask('GET', path)).text(),
  exported: (id: string) => json<Json>('GET', at(id, '/export')),
  import: (file: Json) => json<Imported>('POST', '/api/conversations/import', file),

  /** What answers gets ready, where it has something to get ready. */
  warm: async (task: string | undefined) =>
    void (await ask('POST', `/api/models/warm${query({ task })}`)),
  /** The answers of these are streams: the caller reads or drops them. */
  send: (question: Question) => ask('POST', '/api/chat/stream', question),
  call: (tool: string, call: { arguments: Json; task?: string; access_token?: string }) =>
    ask('POST', `/api/tools/${encodeURIComponent(tool)}/call`, call),
  retry: (id: string, options: Options & { run?: string }) =>
    ask('POST', at(id, '/retry'), options),
  fork: (id: string, after: { run: string; seq?: number }) =>
    json<Summary>('POST', at(id, '/fork'), { after }),
  resume: (id: string) => ask('POST', at(id, '/resume')),
  follow: (id: string, lastSeen: string | undefined, signal: AbortSignal) =>
    ask('GET', at(id, '/stream'), undefined, {
      signal,
      headers: lastSeen === undefined ? {} : { 'last-event-id': lastSeen },
    }),

  say: (id: string, saying: Saying) => json<{ id: string }>('POST', at(id, '/messages'), saying),
  waiting: async (id: string) =>
    (await json<{ messages: WaitingMessage[] }>('GET', at(id, '/messages'))).messages,
  withdraw: async (id: string, message: string) =>
    void (await ask('DELETE', at(id, `/messages/${encodeURIComponent(message)}`))),
  stop: async (id: string) => void (await ask('POST', at(id, '/stop'))),
  /** The calls that wait for a decision, and what "always" would add for each. */
  decisions: async (id: string) =>
    (
      await json<{ decisions: { call_id: string; fingerprint: string; always: string[] }[] }>(
        'GET',
        at(id, '/decisions'),
      )
    ).decisions,
  decide: async (id: string, decision: DecisionBody) =>
    void (await ask('POST', at(id, '/decisions'), decision)),
  answer: async (id: string, answer: AnswerBody) =>
    void (await ask('POST', at(id, '/questions'), answer)),

  approvals: () =>
    json<{ rules: GivenRule[]; configured: { text: string }[] }>('GET', '/api/approvals'),
  tasks: async () => (await json<{ tasks: TaskFile[] }>('GET', '/api/tasks')).tasks,
  /** This browser needs a new link afterwards. */
  logout: async () => {
    await ask('POST', '/api/logout');
    dropKey();
    signedOut();
  },
  forget: async (rule: number) => void (await ask('DELETE', `/api/approvals/${rule}`)),
};

/** The events of a page of `/events`, as the reducer wants them. */
export function items(page: { events: { position: number; event: Event }[] }): Item[] {
  return page.events.map(({ position, event }) => ({ position: String(position), event }));
}
