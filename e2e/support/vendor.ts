import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { answer, bodyOf } from './signer.ts';

export type VendorKey = { code: string; keyId: string; key: string };

export const stake = 10_000;
export const prize = 25_000;

type WalletResponse = { code: string; balance: string; currency: string; sessionId: string };

/** An external game vendor that follows docs/vendor-protocol.md. */
export class Vendor {
  readonly #server: Server;
  readonly #sessions = new Map<string, WalletResponse>();
  #wallet: { origin: string; key: VendorKey; game: string } | undefined;
  #paused = Promise.withResolvers<void>();
  /** Whether the vendor drops every connection. */
  isDown = false;

  private constructor() {
    this.#paused.resolve();
    this.#server = createServer((request, response) => {
      if (this.isDown) request.socket.destroy();
      else this.#serve(request, response).catch(() => response.writeHead(500).end());
    });
  }

  static async start(): Promise<Vendor> {
    const vendor = new Vendor();
    await new Promise<void>((resolve) => vendor.#server.listen(0, '127.0.0.1', resolve));
    return vendor;
  }

  join(origin: string, key: VendorKey, game: string): void {
    this.#wallet = { origin, key, game };
  }

  /** Pauses the start of games until the returned function is called. */
  pauseGames(): () => void {
    this.#paused = Promise.withResolvers<void>();
    return () => this.#paused.resolve();
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get launchUrl(): string {
    return `${this.origin}/play?t={ticket}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.origin);
    const body = request.method === 'POST' ? JSON.parse(await bodyOf(request)) : {};
    const { ticket, session, win } = body as { ticket: string; session: string; win: boolean };
    if (pathname === '/play') {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      response.end(`<!doctype html><title>Game</title><output>Please wait</output>
<button data-win="true">Win</button><button data-win="">Lose</button>
<script>(${inBrowser.toString()})()</script>`);
    } else if (pathname === '/begin') {
      await this.#paused.promise;
      const started = await this.#call('authenticate', { requestId: randomUUID(), ticket });
      const id = randomUUID();
      this.#sessions.set(id, started);
      answer(response, { session: id, balance: started.balance });
    } else if (pathname === '/round') {
      const walletSession = this.#sessions.get(session);
      if (!walletSession) throw new Error('unknown session');
      answer(response, { balance: await this.#round(walletSession, win) });
    } else {
      response.writeHead(404).end();
    }
  }

  async #round({ sessionId, currency }: WalletResponse, win: boolean): Promise<string> {
    const common = { sessionId, currency, gameCode: this.#wallet?.game, roundId: randomUUID() };
    const callWallet = (call: string, fields: object) =>
      this.#call(call, { ...common, requestId: randomUUID(), txId: randomUUID(), ...fields });
    await callWallet('bet', { amount: String(stake) });
    const { balance } = await callWallet('win', {
      amount: String(win ? prize : 0),
      endRound: true,
    });
    return balance;
  }

  async #call(call: string, body: object): Promise<WalletResponse> {
    if (!this.#wallet) throw new Error('no wallet was set');
    const { origin, key } = this.#wallet;
    const raw = JSON.stringify(body);
    const now = String(Date.now());
    const response = await fetch(`${origin}/vendor/v1/${call}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Vendor': key.code,
        'X-Key': key.keyId,
        'X-Timestamp': now,
        'X-Signature': createHmac('sha256', key.key)
          .update(`${now}./vendor/v1/${call}.${raw}`)
          .digest('hex'),
      },
      body: raw,
    });
    const result = (await response.json()) as WalletResponse;
    if (result.code !== 'OK') throw new Error(`${call}: ${result.code}`);
    return result;
  }
}

/** Runs in the browser: redeems the ticket, and shows the balance after each round. */
function inBrowser(): void {
  const output = document.querySelector('output')!;
  const post = async (path: string, body: object) => {
    const response = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
    const result = (await response.json()) as { session: string; balance: string };
    output.textContent = result.balance;
    return result;
  };
  const started = post('/begin', { ticket: new URLSearchParams(location.search).get('t') });
  for (const button of document.querySelectorAll('button')) {
    button.addEventListener('click', () => {
      void started.then(({ session }) =>
        post('/round', { session, win: button.dataset['win'] === 'true' }),
      );
    });
  }
}
