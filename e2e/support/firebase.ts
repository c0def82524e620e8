import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { answer, bodyOf, Signer } from './signer.ts';

export const project = { id: 'fair-1', key: 'browser-key' } as const;

const siteKey = 'site-1';
const humanToken = 'a person was there';

export const firebaseCode = '314159';

/** Mocks the phone authentication of Firebase: it sends a code and exchanges it for a token. */
export class Firebase {
  readonly #server: Server;
  readonly #signer = new Signer();
  readonly #sessions = new Map<string, string>();

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.writeHead(500).end());
    });
  }

  static async start(): Promise<Firebase> {
    const firebase = new Firebase();
    await new Promise<void>((resolve) => firebase.#server.listen(0, '127.0.0.1', resolve));
    return firebase;
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
    // The browser calls it from another origin.
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', 'content-type');
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else if (pathname === '/recaptcha/api.js' && searchParams.get('render') === 'explicit') {
      response.writeHead(200, { 'Content-Type': 'text/javascript' });
      response.end(`(${recaptcha.toString()})(${JSON.stringify({ siteKey, sign: humanToken })})`);
    } else if (pathname === '/keys') answer(response, this.#signer.published);
    else if (searchParams.get('key') !== project.key) refuse(response, 'API_KEY_INVALID');
    else if (pathname === '/v1/recaptchaParams') answer(response, { recaptchaSiteKey: siteKey });
    else {
      const body = JSON.parse(await bodyOf(request)) as Record<string, string>;
      if (pathname === '/v1/accounts:sendVerificationCode') this.#send(body, response);
      else if (pathname === '/v1/accounts:signInWithPhoneNumber') this.#signIn(body, response);
      else response.writeHead(404).end();
    }
  }

  #send(body: Record<string, string>, response: ServerResponse): void {
    const { phoneNumber = '', recaptchaToken } = body;
    if (recaptchaToken !== humanToken) {
      refuse(response, 'INVALID_RECAPTCHA_TOKEN');
      return;
    }
    if (!/^\+\d{8,15}$/.test(phoneNumber)) {
      refuse(response, 'INVALID_PHONE_NUMBER');
      return;
    }
    const sessionInfo = `session-${this.#sessions.size}`;
    this.#sessions.set(sessionInfo, phoneNumber);
    answer(response, { sessionInfo });
  }

  #signIn({ sessionInfo = '', code = '' }: Record<string, string>, response: ServerResponse): void {
    const number = this.#sessions.get(sessionInfo);
    if (number === undefined) refuse(response, 'SESSION_EXPIRED');
    else if (code !== firebaseCode) refuse(response, 'INVALID_CODE');
    else {
      this.#sessions.delete(sessionInfo);
      const now = Math.floor(Date.now() / 1000);
      const idToken = this.#signer.sign({
        iss: `https://securetoken.google.com/${project.id}`,
        aud: project.id,
        sub: `holder of ${number}`,
        auth_time: now,
        iat: now,
        exp: now + 3600,
        phone_number: number,
        firebase: { sign_in_provider: 'phone', identities: { phone: [number] } },
      });
      answer(response, { idToken, phoneNumber: number });
    }
  }
}

type Options = { sitekey: string; size: string; callback: (token: string) => void };

/** Runs in the browser: accepts every visitor as human, after a moment. */
function recaptcha(config: { siteKey: string; sign: string }): void {
  let widget: Options | undefined;
  Object.assign(window, {
    grecaptcha: {
      ready: (callback: () => void) => setTimeout(callback),
      render(_: HTMLElement, options: Options): number {
        widget = options;
        return 0;
      },
      execute(): void {
        const isExpected = widget?.sitekey === config.siteKey && widget.size === 'invisible';
        if (isExpected) setTimeout(() => widget?.callback(config.sign), 200);
      },
    },
  });
}

function refuse(response: ServerResponse, message: string): void {
  answer(response, { error: { code: 400, message } }, 400);
}
