import { expect, type FrameLocator, type Locator } from '@playwright/test';

import { App } from './app.ts';

/** Where a game of the demo is started that can really be played. */
export const slotAddress =
  '/m/launchGame?vendor=JL&gameCategory=RNG&gameId=rng-001&supportPlay=true';

/** A round as the game's server tells it. */
export type Round = { id: string; stake: number; win: number; freeRounds: number };

/** The screen around a game, and the game in its frame. */
export class Play extends App {
  get frame(): FrameLocator {
    return this.page.frameLocator('main iframe');
  }

  /** Drawn by the game itself, in its own words. */
  get spinButton(): Locator {
    return this.frame.locator('button.spin');
  }

  get bar(): Locator {
    return this.main.locator('header');
  }

  get strip(): Locator {
    return this.page.getByLabel(this.text('This session'), { exact: true });
  }

  get shield(): Locator {
    return this.bar.getByRole('button', { name: this.text('Fair play'), exact: true });
  }

  /** What the shield opens. */
  get fairPlay(): Locator {
    return this.page.getByRole('dialog', { name: this.text('Fair play'), exact: true });
  }

  /** What the shield says that the next round is drawn from, once it is the round of that number. It stays open. */
  async promised(round?: number): Promise<{ commitment: string; nonce: number }> {
    await this.shield.tap();
    const value = (name: string) => this.fairPlay.getByLabel(this.text(name), { exact: true });
    await expect(value('Commitment')).toHaveText(/^([\da-f]{4} ){15}[\da-f]{4}$/);
    if (round !== undefined) await expect(value('Number (nonce)')).toHaveText(String(round));
    return {
      commitment: await value('Commitment').innerText(),
      nonce: Number(await value('Number (nonce)').innerText()),
    };
  }

  async closeSheet(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await expect(this.page.getByRole('dialog')).toHaveCount(0);
  }

  get leave(): Locator {
    return this.bar.getByRole('button', { name: this.text('Leave the game'), exact: true });
  }

  /** The game stands and can be played. */
  async stands(): Promise<void> {
    await this.#rests();
    await expect(this.strip).toContainText('RTP');
  }

  /** The game has heard how large its frame is now, and has drawn itself anew. */
  async fits(width: number): Promise<void> {
    const frame = this.page.locator('main iframe');
    const root = this.frame.locator('html');
    await expect
      .poll(async () => {
        const [outer, ...room] = await frame.evaluate((one) => [
          innerWidth,
          one.clientWidth,
          one.clientHeight,
        ]);
        const own = await root.evaluate(() => [innerWidth, innerHeight]);
        return outer === width && String(own) === String(room);
      })
      .toBe(true);
    await root.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
  }

  /** The balance that the bar shows, in whole units. */
  async money(symbol = '₫'): Promise<number> {
    return digits(await this.bar.locator('bdi').filter({ hasText: symbol }).first().innerText());
  }

  /** The net position that the strip shows. */
  async net(): Promise<number> {
    return digits(await this.strip.locator('bdi').filter({ hasText: '₫' }).innerText());
  }

  /** Plays one round to its end. One with free rounds takes minutes to be told: loaded anew, the page tells its result. */
  async spin(): Promise<Round> {
    // One that came too early is asked for again by the game itself.
    const answered = this.page.waitForResponse(
      (response) => response.url().endsWith('/house/v1/spin') && response.ok(),
    );
    await this.spinButton.tap();
    const answer = await answered;
    const { value } = (await answer.json()) as { value: { round: Round } };
    if (value.round.freeRounds > 0) {
      await this.page.reload();
      await this.stands();
      return value.round;
    }
    await expect(this.spinButton).toHaveAttribute('data-turning', 'false', { timeout: 120_000 });
    await this.#rests();
    return value.round;
  }

  /** The server plays a round whose answer never comes here: the page is loaded anew in its middle. Gives the balance after it. */
  async cutOff(): Promise<number> {
    const played = Promise.withResolvers<number>();
    await this.page.route('**/house/v1/spin', async (route) => {
      const answer = await route.fetch();
      const { value } = (await answer.json()) as { value: { balance: number } };
      played.resolve(value.balance);
    });
    await this.spinButton.tap();
    const balance = await played.promise;
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.page.reload();
    await this.stands();
    return balance;
  }

  async #rests(): Promise<void> {
    await expect(this.spinButton).toHaveAttribute('aria-disabled', 'false');
  }
}

/** An amount as a number; the demo's currency has no decimals, so only digits and the sign count. */
export function digits(text: string): number {
  return Number(text.replaceAll(/[^\d-]/g, ''));
}
