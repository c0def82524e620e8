import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { answer, bodyOf } from './signer.ts';

export const captcha = { id: 'captcha-1', key: 'captcha-key' } as const;

/** The label of the button in the puzzle. */
export const person = 'I am a person';

/** Mocks Geetest 4: the browser script and the server-side check. */
export class Geetest {
  readonly #server: Server;
  /** The lot numbers of the checked puzzles. */
  readonly checked: string[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.writeHead(500).end());
    });
  }

  static async start(): Promise<Geetest> {
    const geetest = new Geetest();
    await new Promise<void>((resolve) => geetest.#server.listen(0, '127.0.0.1', resolve));
    return geetest;
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
    if (pathname === '/gt4.js') {
      response.writeHead(200, { 'Content-Type': 'text/javascript' });
      response.end(`(${inBrowser.toString()})(${JSON.stringify({ id: captcha.id, person })})`);
    } else if (pathname === '/validate' && searchParams.get('captcha_id') === captcha.id) {
      this.#validate(new URLSearchParams(await bodyOf(request)), response);
    } else {
      response.writeHead(404).end();
    }
  }

  #validate(form: URLSearchParams, response: ServerResponse): void {
    const lot = form.get('lot_number') ?? '';
    const expectedToken = createHmac('sha256', captcha.key).update(lot).digest('hex');
    const isValid =
      form.get('sign_token') === expectedToken &&
      form.get('captcha_output') === 'isolated' &&
      form.get('pass_token') === `pass of ${lot}` &&
      Number(form.get('gen_time')) > 0;
    this.checked.push(lot);
    answer(response, { status: 'success', result: isValid ? 'success' : 'fail', reason: '' });
  }
}

type Options = { captchaId: string; product: string };

/** Runs in the browser: draws a button as the puzzle, and reports in its output whether it can access the app. */
function inBrowser(config: { id: string; person: string }): void {
  const canAccessApp = () => {
    try {
      return Boolean(localStorage ?? window.parent.document);
    } catch {
      return false;
    }
  };
  Object.assign(window, {
    initGeetest4(options: Options, onCreated: (box: object) => void): void {
      const listeners: Record<string, () => void> = {};
      const on = (name: string) => (listener: () => void) => {
        listeners[name] = listener;
        return box;
      };
      const lot = Math.random().toString(36).slice(2);
      const box = {
        onReady: on('ready'),
        onSuccess: on('success'),
        onError: on('error'),
        showCaptcha(): void {
          const button = document.createElement('button');
          button.textContent = config.person;
          button.addEventListener('click', () => listeners['success']?.());
          document.body.append(button);
        },
        getValidate: () => ({
          captcha_id: config.id,
          lot_number: lot,
          captcha_output: canAccessApp() ? 'not isolated' : 'isolated',
          pass_token: `pass of ${lot}`,
          gen_time: '1700000000',
        }),
      };
      onCreated(box);
      const isExpected = options.captchaId === config.id && options.product === 'bind';
      setTimeout(() => listeners[isExpected ? 'ready' : 'error']?.());
    },
  });
}
