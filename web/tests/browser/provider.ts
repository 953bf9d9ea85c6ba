/** `Provider`: an identity provider that lets in whoever comes, as whoever it is told. */

import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export class Provider {
  /** What it says about whoever signs in next. */
  claims: Record<string, unknown> = {};
  private readonly nonces = new Map<string, string>();

  private constructor(
    private readonly server: Server,
    private readonly keys: { publicKey: KeyObject; privateKey: KeyObject },
  ) {
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', this.issuer);
      const json = (body: unknown) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(body));
      };
      if (url.pathname === '/authorize') {
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        const code = `code-${this.nonces.size}`;
        this.nonces.set(code, url.searchParams.get('nonce') ?? '');
        back.searchParams.set('code', code);
        back.searchParams.set('state', url.searchParams.get('state') ?? '');
        response.writeHead(302, { location: back.href }).end();
      } else if (url.pathname === '/token') {
        let form = '';
        request.on('data', (chunk) => (form += String(chunk)));
        request.on('end', () => {
          const nonce = this.nonces.get(new URLSearchParams(form).get('code') ?? '');
          json({ id_token: this.token(nonce ?? '') });
        });
      } else if (url.pathname === '/keys') {
        json({ keys: [{ ...this.keys.publicKey.export({ format: 'jwk' }), kid: 'k1' }] });
      } else {
        json({
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          jwks_uri: `${this.issuer}/keys`,
        });
      }
    });
  }

  static async start(): Promise<Provider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Provider(server, generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private token(nonce: string): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.issuer,
      aud: 'desk',
      exp: now + 300,
      iat: now,
      nonce,
      ...this.claims,
    };
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const said = `${part({ alg: 'ES256', kid: 'k1' })}.${part(claims)}`;
    const key = { key: this.keys.privateKey, dsaEncoding: 'ieee-p1363' as const };
    return `${said}.${sign('sha256', Buffer.from(said), key).toString('base64url')}`;
  }
}
