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

// A client that its user registered beforehand, or whose description is at an address.
const described = { 'auth/basic-cimd': 'https://conformance-test.local/client-metadata.json' };
const clientId = context.client_id ?? described[scenario];
const secret = context.client_secret ? ', client_secret_env = "CLIENT_SECRET"' : '';
const oauth = clientId ? `oauth = { client_id = ${JSON.stringify(clientId)}${secret} }\n` : '';

const settings = `[model]
name = "demo"
[embeddings]
source = "off"
[mcp.tests]
url = ${JSON.stringify(url)}
${oauth}`;
const config = join(home, 'toolwright.toml');
writeFileSync(config, settings);
const before = ['--config', config, '--data', join(home, 'data')];
// Nothing of the caller's settings.
const env = { HOME: home, PATH: process.env.PATH, CLIENT_SECRET: context.client_secret ?? '' };
const options = { env, cwd: home };
const bin = process.env.TOOLWRIGHT_BIN;

/** Runs a command of the program to its end. */
function toolwright(...args) {
  const ended = spawnSync(bin, [...before, ...args], { ...options, encoding: 'utf8', timeout: 20_000 });
  process.stderr.write(ended.stdout + ended.stderr);
  return ended.status === 0;
}

/** Logs in. The tests' login server asks nobody anything, and sends the browser back at once. */
async function login() {
  const child = spawn(bin, [...before, '--json', 'mcp', 'login', 'tests', '--no-browser'], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((code) => child.on('close', code));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line);
    // Where nothing comes back there is nobody who goes on: so is a user who closes the page.
    const lost = () => child.kill('SIGINT');
    if (said.type === 'open') fetch(said.url).then((it) => it.ok || lost(), lost);
  });
  return (await ended) === 0;
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
    return result;
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
    'http-invalid-tool-headers': [['valid_tool', { region: 'us-west1' }]],
    'json-schema-ref-no-deref': [],
    'json-schema-2020-12-preservation': [['json_schema_echo', { schema: schema('json_schema_2020_12_tool') }]],
  };
  const named = context.toolCalls?.map((it) => [it.name, it.arguments]);
  const all = () => tools.filter((it) => it.name.startsWith('tests__')).map((it) => [it.name.slice(7), {}]);
  return named ?? wanted[scenario] ?? all();
}

// A user does what the program says: logs in where a server wants that, and once more where it wants that again.
const approve = () => toolwright('mcp', 'approve', 'tests', '--yes');
let isApproved = approve();
for (let tries = 0; !isApproved && tries < 2; tries++) {
  if (!(await login())) break;
  isApproved = approve();
}
if (!isApproved) process.exit(1);

let desk = new Desk();
await desk.begin();
const { tools } = await desk.ask('tools/list', {});
for (const [name, args] of calls(tools)) {
  const result = await desk.call(name, args);
  // What a login does not allow is told, with what to do about it; a user does that once.
  if (!result.isError || !JSON.stringify(result).includes('mcp login')) continue;
  await desk.end();
  await login();
  desk = new Desk();
  await desk.begin();
  await desk.call(name, args);
}
await desk.end();
