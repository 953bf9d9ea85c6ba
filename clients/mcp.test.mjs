// The Model Context Protocol's own client for JavaScript, over both transports.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { base, headers } from './desk.mjs';

const address = new URL(`${base}/mcp`);

/** A client at one of the two doors, for as long as `work` takes. */
async function opened(door, capabilities, work) {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-mcp-'));
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  const transport =
    door === 'http'
      ? new StreamableHTTPClientTransport(address, { requestInit: { headers } })
      : new StdioClientTransport({
          command: process.env.DESK_BIN,
          args: ['--data', folder, 'mcp', 'serve', '--task', 'demo'],
          env: { HOME: folder, PATH: process.env.PATH },
          stderr: 'ignore',
        });
  try {
    await client.connect(transport);
    await work(client, transport);
  } finally {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  }
}

for (const door of ['stdio', 'http']) {
  describe(`over ${door}`, () => {
    test('tools are listed and called', () =>
      opened(door, {}, async (client) => {
        const { tools } = await client.listTools();
        assert.ok(tools.find((it) => it.name === 'get_weather').annotations.readOnlyHint);
        const tip = { name: 'calculate_tip', arguments: { amount: 45.6, percentage: 20 } };
        const result = await client.callTool(tip);
        assert.deepEqual(result.structuredContent, { tip: 9.12, total: 54.72 });
        assert.equal(client.getServerVersion().name, 'toolwright');
      }));

    test('calls at the same time all get their own result', () =>
      opened(door, {}, async (client) => {
        const amounts = [10, 20, 30, 40, 50];
        const calls = amounts.map((amount) =>
          client.callTool({ name: 'calculate_tip', arguments: { amount, percentage: 10 } }),
        );
        const tips = (await Promise.all(calls)).map((it) => it.structuredContent.tip);
        assert.deepEqual(tips, [1, 2, 3, 4, 5]);
      }));

    for (const decision of ['allow', 'deny']) {
      test(`the user decides in the client: ${decision}`, () =>
        opened(door, { elicitation: {} }, async (client) => {
          const asked = [];
          client.setRequestHandler(ElicitRequestSchema, async (request) => {
            asked.push(request.params.message);
            return { action: 'accept', content: { decision } };
          });
          const result = await client.callTool({ name: 'delete_notes', arguments: {} });
          assert.equal(result.isError, decision === 'deny');
          assert.equal(asked.length, 1);
        }));
    }
  });
}

test('a session is no key: without the token its name opens nothing', () =>
  opened('http', {}, async (client, transport) => {
    await client.listTools();
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'mcp-session-id': transport.sessionId,
        'mcp-protocol-version': '2025-11-25',
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    assert.equal(response.status, 401);
  }));
