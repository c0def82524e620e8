import { expect, type FrameLocator, type Locator } from '@playwright/test';

import { App } from './app.ts';

export const slotAddress =
  '/m/launchGame?vendor=JL&gameCategory=RNG&gameId=rng-001&supportPlay=true';

export type Round = { id: string; stake: number; win: number; freeRounds: number };

export class Play extends App {
  get frame(): FrameLocator {
    return this.page.frameLocator('main iframe');
  }

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

  get fairPlay(): Locator {
    return this.page.getByRole('dialog', { name: this.text('Fair play'), exact: true });
  }

  /** Opens the fair play sheet and returns the commitment of the next round. With `round`, it waits until that is the next round. The sheet stays open. */
  async readCommitment(round?: number): Promise<{ commitment: string; nonce: number }> {
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

  async expectReady(): Promise<void> {
    await this.#expectIdle();
    await expect(this.strip).toContainText('RTP');
  }

  /** Waits until the game has been drawn in the new size of its frame. */
  async expectFit(width: number): Promise<void> {
    const frame = this.page.locator('main iframe');
    const root = this.frame.locator('html');
    await expect
      .poll(async () => {
        const [pageWidth, ...frameSize] = await frame.evaluate((element) => [
          innerWidth,
          element.clientWidth,
          element.clientHeight,
        ]);
        const innerSize = await root.evaluate(() => [innerWidth, innerHeight]);
        return pageWidth === width && String(innerSize) === String(frameSize);
      })
      .toBe(true);
    await root.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  }

  async shownBalance(symbol = '₫'): Promise<number> {
    return digits(await this.bar.locator('bdi').filter({ hasText: symbol }).first().innerText());
  }

  async shownNet(): Promise<number> {
    return digits(await this.strip.locator('bdi').filter({ hasText: '₫' }).innerText());
  }

  /** Plays one round to its end. Free rounds take minutes to show, so the page is reloaded to skip them. */
  async spin(): Promise<Round> {
    // The game itself retries a refused spin.
    const responsePromise = this.page.waitForResponse(
      (response) => response.url().endsWith('/house/v1/spin') && response.ok(),
    );
    await this.spinButton.tap();
    const spinResponse = await responsePromise;
    const { value } = (await spinResponse.json()) as { value: { round: Round } };
    if (value.round.freeRounds > 0) {
      await this.page.reload();
      await this.expectReady();
      return value.round;
    }
    await expect(this.spinButton).toHaveAttribute('data-turning', 'false', { timeout: 120_000 });
    await this.#expectIdle();
    return value.round;
  }

  /** Plays a round and reloads the page before the response arrives. Returns the balance after the round. */
  async spinAndLoseResponse(): Promise<number> {
    const balanceAfter = Promise.withResolvers<number>();
    await this.page.route('**/house/v1/spin', async (route) => {
      const response = await route.fetch();
      const { value } = (await response.json()) as { value: { balance: number } };
      balanceAfter.resolve(value.balance);
    });
    await this.spinButton.tap();
    const balance = await balanceAfter.promise;
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.page.reload();
    await this.expectReady();
    return balance;
  }

  async #expectIdle(): Promise<void> {
    await expect(this.spinButton).toHaveAttribute('aria-disabled', 'false');
  }
}

/** An amount as a number: the demo's currency has no decimals. */
export function digits(text: string): number {
  return Number(text.replaceAll(/[^\d-]/g, ''));
}
