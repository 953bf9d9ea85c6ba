// The server that is tested, and the model behind it. `scripts/clients.sh` starts both.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

function needed(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run scripts/clients.sh`);
  return value;
}

export const base = needed('DESK_URL');
export const headers = { authorization: `Bearer ${needed('DESK_TOKEN')}` };

/** Lets the model say the rest of what it holds back under this name. */
export const release = (name) =>
  fetch(`${needed('DESK_MODEL')}/release/${name}`, { method: 'POST' });

/** Asks the server's own API. */
export async function ask(method, path, body) {
  const response = await fetch(base + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** A picture of one point. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A file of the workspace. */
export function file(name) {
  const path = join(needed('DESK_WORKSPACE'), name);
  return { write: (text) => writeFile(path, text), read: () => readFile(path, 'utf8') };
}
