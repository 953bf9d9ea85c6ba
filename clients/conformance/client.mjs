// What the conformance tests start as the client that they look at: the program itself (`TOOLWRIGHT_BIN`), with the
// tests' server as one of its MCP servers. Its tools are approved and then called as anybody's would be, by a client of
// `toolwright mcp serve`. The user says yes to whatever is asked, and leaves forms as they are.
//
//     TOOLWRIGHT_BIN=… node client.mjs URL
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const url = process.argv[2];
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const home = mkdtempSync(join(tmpdir(), 'toolwright-conformance-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

const settings = `[model]
name = "demo"
[embeddings]
source = "off"
[mcp.tests]
url = ${JSON.stringify(url)}
`;
const config = join(home, 'toolwright.toml');
writeFileSync(config, settings);
const before = ['--config', config, '--data', join(home, 'data')];
// Nothing of the caller's settings.
const options = { env: { HOME: home, PATH: process.env.PATH }, cwd: home };
const bin = process.env.TOOLWRIGHT_BIN;

/** Runs a command of the program to its end. */
function toolwright(...args) {
  const ended = spawnSync(bin, [...before, ...args], { ...options, encoding: 'utf8', timeout: 20_000 });
  process.stderr.write(ended.stdout + ended.stderr);
  return ended.status === 0;
}

/** The program as a server of the tools, and whoever calls them. */
class Desk {
  #waiting = new Map();
  #next = 0;

  constructor() {
    this.process = spawn(bin, [...before, 'mcp', 'serve', '--approve'], {
      ...options,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    createInterface({ input: this.process.stdout }).on('line', (line) => this.#hear(JSON.parse(line)));
  }

  #hear(message) {
    if (message.method === 'elicitation/create') {
      this.#send({ id: message.id, result: { action: 'accept', content: {} } });
    } else if (message.method === undefined) {
      this.#waiting.get(message.id)?.(message);
    }
  }

  #send(message) {
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async ask(method, params) {
    const id = ++this.#next;
    const answer = new Promise((answered) => this.#waiting.set(id, answered));
    this.#send({ id, method, params });
    const { result, error } = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  async begin() {
    const clientInfo = { name: 'conformance', version: '1' };
    const capabilities = { elicitation: {} };
    await this.ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
    this.#send({ method: 'notifications/initialized' });
  }

  async call(name, args) {
    const result = await this.ask('tools/call', { name: `tests__${name}`, arguments: args });
    process.stderr.write(`${name}: ${JSON.stringify(result)}\n`);
  }

  async end() {
    this.process.stdin.end();
    await new Promise((ended) => this.process.on('close', ended));
  }
}

/** Which tools a scenario wants called, and with what: those it names itself, or all that there are. */
function calls(tools) {
  const schema = (name) => tools.find((it) => it.name === `tests__${name}`)?.inputSchema;
  const wanted = {
    tools_call: [['add_numbers', { a: 5, b: 3 }]],
    'json-schema-ref-no-deref': [],
    'json-schema-2020-12-preservation': [['json_schema_echo', { schema: schema('json_schema_2020_12_tool') }]],
  };
  const named = context.toolCalls?.map((it) => [it.name, it.arguments]);
  const all = () => tools.filter((it) => it.name.startsWith('tests__')).map((it) => [it.name.slice(7), {}]);
  return named ?? wanted[scenario] ?? all();
}

if (!toolwright('mcp', 'approve', 'tests', '--yes')) process.exit(1);
const desk = new Desk();
await desk.begin();
const { tools } = await desk.ask('tools/list', {});
for (const [name, args] of calls(tools)) await desk.call(name, args);
await desk.end();
