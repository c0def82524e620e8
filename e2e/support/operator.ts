import { createHmac } from 'node:crypto';

import type { Browser, BrowserContext, Page } from '@playwright/test';

import { watchErrors } from './page-errors.ts';
import type { Server } from './server.ts';

export type Operator = { name: string; password: string; secret?: string };

/** The demo's operators, whose passwords and secrets are public. Each of their codes works once per server. */
export const demoOwners = [
  { name: 'owner1', password: 'Demo1234', secret: 'MZQWS4THOJXXK3TEGEZDGNBVGY3TQOJQ' },
  { name: 'owner2', password: 'Demo1234', secret: 'N53W4ZLSGIZTGNJVGY3TQOJQGEZDGNBV' },
] as const satisfies Operator[];

const stepMs = 30_000;

/** An operator in a desktop browser with its own session. */
export class Desk {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #operator: Operator;
  readonly #expectNoErrors: () => void;
  #secret = '';
  #lastStep = 0;

  private constructor(context: BrowserContext, page: Page, operator: Operator) {
    this.#context = context;
    this.page = page;
    this.#operator = { ...operator };
    this.#expectNoErrors = watchErrors(page);
  }

  /**
   * Opens a path of the console and logs the operator in. The first login sets up the second factor. A password that
   * another person has set is replaced. `onScreen` runs on each screen of the login.
   */
  static async open(
    browser: Browser,
    server: Server,
    operator: Operator,
    path = '/console',
    onScreen: (page: Page) => Promise<void> = async () => {},
  ): Promise<Desk> {
    const context = await browser.newContext({
      baseURL: server.origin,
      viewport: { width: 1280, height: 800 },
      isMobile: false,
      hasTouch: false,
      locale: 'en',
    });
    const desk = new Desk(context, await context.newPage(), operator);
    await desk.page.goto(path);
    await desk.#logIn(() => onScreen(desk.page));
    return desk;
  }

  async #logIn(onScreen: () => Promise<void>): Promise<void> {
    const { page } = this;
    await page.getByLabel('Name').waitFor();
    await onScreen();
    await page.getByLabel('Name').fill(this.#operator.name);
    await page.getByLabel('Password', { exact: true }).fill(this.#operator.password);
    await page.keyboard.press('Enter');
    const code = page.getByLabel('Code', { exact: true });
    await code.waitFor();
    await onScreen();
    this.#secret = this.#operator.secret ?? (await page.locator('form pre').innerText());
    await code.fill(this.#nextCode());
    await page.keyboard.press('Enter');
    if (!this.#operator.secret) {
      const saved = page.getByRole('button', { name: 'I have saved them' });
      await saved.waitFor();
      await onScreen();
      await saved.click();
    }
    const newPassword = page.getByLabel('New password', { exact: true });
    await page
      .getByRole('button', { name: /^Account of/ })
      .or(newPassword)
      .first()
      .waitFor();
    if (!(await newPassword.isVisible())) return;
    await onScreen();
    await page.getByLabel('Current password', { exact: true }).fill(this.#operator.password);
    this.#operator.password = `own password of ${this.#operator.name}`;
    await newPassword.fill(this.#operator.password);
    await page.keyboard.press('Enter');
    await newPassword.waitFor({ state: 'hidden' });
  }

  /** Returns an unused code. The server also accepts the code of the next 30 seconds. */
  #nextCode(): string {
    this.#lastStep = Math.max(this.#lastStep + 1, Math.floor(Date.now() / stepMs));
    return codeOf(this.#secret, this.#lastStep);
  }

  /** Confirms a dangerous request with a code. */
  async confirm(): Promise<void> {
    const dialog = this.page.getByRole('dialog', { name: 'Confirm it is you' });
    await dialog.getByLabel('Code').fill(this.#nextCode());
    await dialog.getByRole('button', { name: 'Confirm' }).click();
  }

  /** Presses a button, then the button with the same name in the dialog that shows the change. */
  async act(name: string, reason?: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
    const dialog = this.page.getByRole('dialog', { name });
    if (reason) await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name, exact: true }).click();
  }

  /** Closes the browser. The console must not have reported an error. */
  async close(): Promise<void> {
    await this.#context.close();
    this.#expectNoErrors();
  }
}

/** Returns the code of an authenticator app (RFC 6238) for a step of 30 seconds. */
function codeOf(secret: string, step: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = Array.from(secret, (character) =>
    letters.indexOf(character).toString(2).padStart(5, '0'),
  ).join('');
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = digest.at(-1)! & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
