import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { answer, bodyOf, Signer } from './signer.ts';

const client = { id: 'fairground-client', secret: 'fairground-secret' } as const;

/** The command-line options for a login with this issuer. */
export const googleOptions = (issuer: Issuer) => (origin: string) => [
  `--public-url=${origin}`,
  `--google-client-id=${client.id}`,
  `--google-client-secret=${client.secret}`,
  `--google-issuer=${issuer.origin}`,
  '--outgoing-allow=127.0.0.0/8',
];

type Grant = {
  subject: string;
  nonce: string;
  challenge: string;
  redirectUri: string;
  wantsAuthTime: boolean;
};

/**
 * An OpenID Connect issuer, as strict as a real one: discovery, PKCE, single-use codes and public keys. Following the link on
 * its login page logs in as `person`.
 */
export class Issuer {
  readonly #server: Server;
  readonly #signer = new Signer();
  readonly #grants = new Map<string, Grant>();
  person = 'person-1';

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.writeHead(500).end());
    });
  }

  static async start(): Promise<Issuer> {
    const issuer = new Issuer();
    await new Promise<void>((resolve) => issuer.#server.listen(0, '127.0.0.1', resolve));
    return issuer;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.origin);
    if (pathname === '/.well-known/openid-configuration') answer(response, this.#discovery());
    else if (pathname === '/keys') answer(response, this.#signer.published);
    else if (pathname === '/authorize') this.#authorize(searchParams, response);
    else if (pathname === '/token') this.#token(await parseForm(request), response);
    else response.writeHead(404).end();
  }

  #discovery() {
    return {
      issuer: this.origin,
      authorization_endpoint: `${this.origin}/authorize`,
      token_endpoint: `${this.origin}/token`,
      jwks_uri: `${this.origin}/keys`,
      id_token_signing_alg_values_supported: ['RS256'],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
    };
  }

  #authorize(query: URLSearchParams, response: ServerResponse): void {
    const param = (name: string) => query.get(name) ?? '';
    const isValid =
      param('client_id') === client.id &&
      param('response_type') === 'code' &&
      param('code_challenge_method') === 'S256';
    if (!isValid) {
      response.writeHead(400).end();
      return;
    }
    const code = randomUUID();
    const redirectUri = param('redirect_uri');
    this.#grants.set(code, {
      subject: this.person,
      nonce: param('nonce'),
      challenge: param('code_challenge'),
      redirectUri,
      wantsAuthTime: param('claims').includes('"auth_time"'),
    });
    const allowUrl = new URL(redirectUri);
    allowUrl.search = new URLSearchParams({ code, state: param('state') }).toString();
    const refuseUrl = new URL(redirectUri);
    refuseUrl.search = new URLSearchParams({
      error: 'access_denied',
      state: param('state'),
    }).toString();
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(
      `<a href="${escapeUrl(allowUrl)}">Allow</a> <a href="${escapeUrl(refuseUrl)}">Refuse</a>`,
    );
  }

  #token(params: URLSearchParams & { basic?: string }, response: ServerResponse): void {
    const code = params.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const expectedChallenge = createHash('sha256')
      .update(params.get('code_verifier') ?? '')
      .digest('base64url');
    const isKnownClient =
      params.basic === `${client.id}:${client.secret}` ||
      (params.get('client_id') === client.id && params.get('client_secret') === client.secret);
    if (
      !grant ||
      !isKnownClient ||
      grant.challenge !== expectedChallenge ||
      grant.redirectUri !== params.get('redirect_uri')
    ) {
      answer(response, { error: 'invalid_grant' }, 400);
      return;
    }
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.origin,
      aud: client.id,
      sub: grant.subject,
      nonce: grant.nonce,
      iat: now,
      exp: now + 3600,
      // Allowing the request counts as a login at this moment.
      ...(grant.wantsAuthTime && { auth_time: now }),
    };
    answer(response, {
      access_token: randomUUID(),
      token_type: 'Bearer',
      expires_in: 3600,
      id_token: this.#signer.sign(claims),
    });
  }
}

async function parseForm(request: IncomingMessage): Promise<URLSearchParams & { basic?: string }> {
  const body = await bodyOf(request);
  const [scheme, credentials = ''] = (request.headers.authorization ?? '').split(' ');
  return Object.assign(new URLSearchParams(body), {
    ...(scheme === 'Basic' && { basic: Buffer.from(credentials, 'base64').toString() }),
  });
}

const escapeUrl = (url: URL) => url.href.replaceAll('&', '&amp;');
