/** `App`: a running Toolwright with data of its own, and browsers that look at it. */

import { spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type { Scripted } from './scripted';

const binary =
  process.env.TOOLWRIGHT_BIN ?? join(import.meta.dirname, '../../../target/debug/toolwright');
/** The same command with a tool that asks the user; `cargo test` builds it. */
export const booking = join(dirname(binary), 'examples/booking');
const chrome = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Where the Rust tests keep what they fetched. */
const kept = join(import.meta.dirname, '../../../target/tmp');

/** Where the offline model's weights are, of a server with this data. */
function weightsIn(data: string): string {
  return join(data, 'weights');
}

export interface Wanted {
  /**
   * Who answers; without it the built-in script does. `offline`: nothing is configured, and the offline model has read
   * nothing before. `first run`: the script answers, as nobody has connected a model yet.
   */
  model?: Scripted | 'offline' | 'first run';
  /** The folder tools may change. */
  workspace?: string;
  task?: string;
  /** The config file; without it, whoever runs the tests has one or not. */
  config?: string;
  /** Another program than the usual one. */
  binary?: string;
}

export class App {
  private readonly browsers: Browser[] = [];

  private constructor(
    private server: ChildProcess,
    private readonly wanted: Wanted,
    private readonly data: string,
    readonly origin: string,
  ) {}

  static async start(wanted: Wanted = {}): Promise<App> {
    const data = await mkdtemp(join(tmpdir(), 'toolwright-page-'));
    if (wanted.model === 'first run') {
      await mkdir(join(data, 'config/toolwright'), { recursive: true });
      await writeFile(join(data, 'config/toolwright/toolwright.toml'), '[model]\nname = "demo"\n');
    }
    if (wanted.model === 'offline') {
      // What earlier conversations began with is kept beside the weights: without that.
      const filter = (path: string) => basename(path) !== 'prefixes';
      await cp(join(kept, 'offline'), weightsIn(data), { recursive: true, filter });
    }
    const { server, origin } = await serve(wanted, data, '127.0.0.1:0');
    return new App(server, wanted, data, origin);
  }

  /** Where the offline model keeps what conversations begin with. */
  get prefixes(): string {
    return join(weightsIn(this.data), 'prefixes');
  }

  /** Ends the server as Ctrl+C does, or as a power cut does. */
  async halt(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    if (this.server.exitCode !== null || this.server.signalCode !== null) return;
    const gone = new Promise((resolve) => this.server.once('exit', resolve));
    this.server.kill(signal);
    await gone;
  }

  /** Starts it again, at the same address and with the same data. */
  async restart(): Promise<void> {
    const { server } = await serve(this.wanted, this.data, new URL(this.origin).host);
    this.server = server;
  }

  async stop(): Promise<void> {
    await Promise.all(this.browsers.map((browser) => browser.close()));
    await this.halt();
    await rm(this.data, { recursive: true, force: true });
  }

  /** A browser that was let in, at the page's beginning. */
  async open(options: BrowserContextOptions = {}): Promise<Visit> {
    const visit = await this.stranger(options);
    await visit.page.goto(await this.link());
    await visit.question.waitFor();
    return visit;
  }

  /** A browser that nobody knows, and that has not gone anywhere yet. */
  async stranger(options: BrowserContextOptions = {}): Promise<Visit> {
    const browser = await chromium.launch({ executablePath: chrome, args: ['--no-sandbox'] });
    this.browsers.push(browser);
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      acceptDownloads: true,
      ...options,
    });
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    return new Visit(page, this.origin);
  }

  /** A link that works once, asked for as a program of the same user. */
  async link(): Promise<string> {
    const answer = await new Promise<string>((resolve, reject) => {
      const asking = request(`${this.origin}/api/launch`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      });
      asking.on('error', reject);
      asking.on('response', (response) => {
        let text = '';
        response.on('data', (chunk) => (text += String(chunk)));
        response.on('end', () => resolve(text));
      });
      asking.end('{}');
    });
    return (JSON.parse(answer) as { url: string }).url;
  }
}

/** A page, and what it did that it should not have. */
export class Visit {
  /** Requests to anywhere else. */
  readonly foreign: string[] = [];
  /** Dialogs and errors. */
  readonly trouble: string[] = [];

  constructor(
    readonly page: Page,
    private readonly origin: string,
  ) {
    page.on('request', (it) => {
      const { protocol, origin: asked } = new URL(it.url());
      if (asked !== this.origin && protocol !== 'data:' && protocol !== 'blob:') {
        this.foreign.push(it.url());
      }
    });
    page.on('dialog', (dialog) => {
      this.trouble.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => this.trouble.push(error.message));
  }

  async ask(question: string): Promise<void> {
    await this.question.fill(question);
    await this.question.press('Enter');
  }

  /** The field to ask in, whatever language it is called in. */
  get question() {
    return this.page.locator('#question');
  }

  /** Opens a conversation of the list, by what its entry says. Until it is there, the one before is still shown. */
  async show(name: string, title = name): Promise<void> {
    const entry = this.page.locator('.list').getByRole('button', { name, exact: true });
    await entry.click();
    await this.page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  }

  /** The answer to the last question, complete; a question that is being sent is the last. */
  async answer(): Promise<string> {
    const turn = this.page.getByRole('region', { name: 'Messages' }).locator('article:last-child');
    await turn.getByRole('button', { name: 'Copy answer' }).waitFor();
    return (await turn.locator('.markdown').last().innerText()).trim();
  }

  /** The mention of a call in the chat, in this state. */
  chip(tool: string, state: string) {
    return this.page
      .locator('main')
      .getByRole('button', { name: new RegExp(`^${tool} ?, ${state}`) });
  }

  get flow() {
    return this.page.locator('.page > .flow');
  }
}

/** What the server is told about who answers. */
function answering(model: Wanted['model'], data: string): Record<string, string> {
  if (model === undefined) return { TOOLWRIGHT_MODEL: 'demo' };
  if (model === 'first run') return {};
  if (model !== 'offline') return { OPENAI_API_BASE: model.base, TOOLWRIGHT_MODEL: 'scripted' };
  return {
    TOOLWRIGHT_OFFLINE_MODEL: weightsIn(data),
    TOOLWRIGHT_EMBED_MODEL: join(kept, 'embed-model'),
  };
}

async function serve(wanted: Wanted, data: string, addr: string) {
  const named = wanted.config === undefined ? [] : ['--config', wanted.config];
  const options = ['--data', data, ...named, '--json', 'serve', '--addr', addr];
  if (wanted.workspace !== undefined) options.push('--workspace', wanted.workspace);
  if (wanted.task !== undefined) options.push('--task', wanted.task);
  const { OPENAI_API_BASE: _base, TOOLWRIGHT_MODEL: _model, ...env } = process.env;
  const program = wanted.binary ?? binary;
  const server = spawn(program, options, {
    cwd: data,
    // Where root runs the tests, the folder is root's, too.
    env: {
      ...env,
      // Settings of its own: those of whoever runs the tests are neither read nor changed.
      XDG_CONFIG_HOME: join(data, 'config'),
      TOOLWRIGHT_ALLOW_ROOT: 'true',
      ...answering(wanted.model, data),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: server.stdout });
  const origin = await new Promise<string>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
    lines.once('line', (line) => {
      resolve(`http://${(JSON.parse(line) as { address: string }).address}`);
    });
  });
  return { server, origin };
}
