import { expect, type Locator } from '@playwright/test';

import { digits, Play } from './play.ts';

export const tableAddress = (vendor: string, game: string): string =>
  `/m/launchGame?vendor=${vendor}&gameCategory=LIVE&gameId=${game}&supportPlay=true`;

/** Longer than a whole round. */
const roundTimeoutMs = 120_000;

export class Table extends Play {
  get table(): Locator {
    return this.frame.locator('main.table');
  }

  get confirm(): Locator {
    return this.frame.locator('button.confirm');
  }

  spot(id: string): Locator {
    return this.frame.locator(`.cloth [data-spot="${id}"]`);
  }

  /** Waits until the table and its RTP are shown. */
  override async expectReady(): Promise<void> {
    await expect(this.table).toBeVisible();
    await expect(this.strip).toContainText('RTP');
  }

  /** Waits for a round with more than this many seconds left for bets. */
  async waitForBetting(minSeconds: number): Promise<void> {
    await expect(this.table).toHaveAttribute('data-phase', 'betting', { timeout: roundTimeoutMs });
    const secondsLeft = this.frame.locator('.ring-count');
    await expect
      .poll(async () => Number(await secondsLeft.innerText()), { timeout: roundTimeoutMs })
      .toBeGreaterThan(minSeconds);
  }

  /** Places and confirms chips in the current round. Returns the stake. */
  async bet(chips: readonly string[]): Promise<number> {
    const responsePromise = this.page.waitForResponse((response) =>
      response.url().endsWith('/house/v1/table/bet'),
    );
    for (const spot of chips) await this.spot(spot).tap();
    await this.confirm.tap();
    const betResponse = await responsePromise;
    expect(betResponse.ok(), await betResponse.text()).toBe(true);
    await expect(this.spot(chips[0] ?? '')).toHaveAttribute('data-mine', 'staked');
    const { value } = (await betResponse.json()) as { value: { bet: { total: number } } };
    return value.bet.total;
  }

  async shownTableBalance(): Promise<number> {
    return digits(await this.frame.locator('.foot-value').first().innerText());
  }
}
