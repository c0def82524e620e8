import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { answer, bodyOf } from './signer.ts';

export const app = { id: '1234567890', secret: 'facebook-secret' } as const;

type Grant = { person: string; challenge: string; redirectUri: string };

/**
 * Mocks Facebook's login dialog and Graph API as strictly as the real ones: OAuth 2 with PKCE, single-use codes, and the app
 * secret proof. Following the dialog's link logs in as `person`.
 */
export class Facebook {
  readonly #server: Server;
  readonly #grants = new Map<string, Grant>();
  readonly #tokens = new Map<string, string>();
  person = '10150000000000001';

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.writeHead(500).end());
    });
  }

  static async start(): Promise<Facebook> {
    const facebook = new Facebook();
    await new Promise<void>((resolve) => facebook.#server.listen(0, '127.0.0.1', resolve));
    return facebook;
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
    const call = pathname.replace(/^\/v\d+\.\d+\//, '');
    if (call === 'dialog/oauth') this.#dialog(searchParams, response);
    else if (call === 'oauth/access_token')
      this.#token(new URLSearchParams(await bodyOf(request)), response);
    else if (call === 'me')
      this.#me(request.headers.authorization ?? '', searchParams.get('appsecret_proof'), response);
    else response.writeHead(404).end();
  }

  #dialog(query: URLSearchParams, response: ServerResponse): void {
    const param = (name: string) => query.get(name) ?? '';
    const isValid =
      param('client_id') === app.id &&
      param('response_type') === 'code' &&
      param('code_challenge_method') === 'S256';
    if (!isValid) {
      response.writeHead(400).end();
      return;
    }
    const code = randomUUID();
    const redirectUri = param('redirect_uri');
    this.#grants.set(code, {
      person: this.person,
      challenge: param('code_challenge'),
      redirectUri,
    });
    const link = (name: string, result: Record<string, string>) => {
      const url = new URL(redirectUri);
      url.search = new URLSearchParams({ ...result, state: param('state') }).toString();
      return `<a href="${url.href.replaceAll('&', '&amp;')}">${name}</a>`;
    };
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(`${link('Allow', { code })} ${link('Refuse', { error: 'access_denied' })}`);
  }

  #token(form: URLSearchParams, response: ServerResponse): void {
    const code = form.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const expectedChallenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isValid =
      form.get('client_id') === app.id &&
      form.get('client_secret') === app.secret &&
      grant?.challenge === expectedChallenge &&
      grant.redirectUri === form.get('redirect_uri');
    if (!grant || !isValid) {
      answer(response, { error: { type: 'OAuthException', code: 100 } }, 400);
      return;
    }
    const token = randomUUID();
    this.#tokens.set(token, grant.person);
    answer(response, { access_token: token, token_type: 'bearer', expires_in: 3600 });
  }

  #me(authorization: string, proof: string | null, response: ServerResponse): void {
    const token = authorization.replace(/^Bearer /i, '');
    const id = this.#tokens.get(token);
    if (!id || proof !== createHmac('sha256', app.secret).update(token).digest('hex')) {
      answer(response, { error: { type: 'OAuthException', code: 190 } }, 400);
      return;
    }
    answer(response, { id });
  }
}
