import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { answer, bodyOf } from './signer.ts';

export const app = { id: '1234567890', secret: 'graph-secret' } as const;

type Grant = { person: string; challenge: string; back: string };

/**
 * Facebook's dialog and Graph, as strict as the real ones: OAuth 2 with PKCE, tokens for a code that is used once, and who
 * somebody is for a token that comes with the proof of the app's secret. Whoever follows the dialog's link is `person`.
 */
export class Graph {
  readonly #server: Server;
  readonly #grants = new Map<string, Grant>();
  readonly #tokens = new Map<string, string>();
  /** Who sits before the browser. */
  person = '10150000000000001';

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.writeHead(500).end());
    });
  }

  static async start(): Promise<Graph> {
    const graph = new Graph();
    await new Promise<void>((resolve) => graph.#server.listen(0, '127.0.0.1', resolve));
    return graph;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
    const asked = (name: string) => query.get(name) ?? '';
    const good =
      asked('client_id') === app.id &&
      asked('response_type') === 'code' &&
      asked('code_challenge_method') === 'S256';
    if (!good) {
      response.writeHead(400).end();
      return;
    }
    const code = randomUUID();
    const back = asked('redirect_uri');
    this.#grants.set(code, { person: this.person, challenge: asked('code_challenge'), back });
    const link = (name: string, said: Record<string, string>) => {
      const to = new URL(back);
      to.search = new URLSearchParams({ ...said, state: asked('state') }).toString();
      return `<a href="${to.href.replaceAll('&', '&amp;')}">${name}</a>`;
    };
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(`${link('Allow', { code })} ${link('Refuse', { error: 'access_denied' })}`);
  }

  #token(sent: URLSearchParams, response: ServerResponse): void {
    const code = sent.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const verifier = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    const good =
      sent.get('client_id') === app.id &&
      sent.get('client_secret') === app.secret &&
      grant?.challenge === verifier &&
      grant.back === sent.get('redirect_uri');
    if (!grant || !good) {
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
