import { expect, type Locator } from '@playwright/test';

import { digits, Play } from './play.ts';

/** Where a table of the demo is opened. */
export const tableAddress = (vendor: string, game: string): string =>
  `/m/launchGame?vendor=${vendor}&gameCategory=LIVE&gameId=${game}&supportPlay=true`;

/** Longer than a whole round: whoever comes at a bad moment waits for the next one. */
const round = 120_000;

/** A live table in its frame. */
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

  /** The table stands, and its return is told. */
  override async stands(): Promise<void> {
    await expect(this.table).toBeVisible();
    await expect(this.strip).toContainText('RTP');
  }

  /** A round that still takes bets for a good while, in seconds. */
  async opens(least: number): Promise<void> {
    await expect(this.table).toHaveAttribute('data-phase', 'betting', { timeout: round });
    const left = this.frame.locator('.ring-count');
    await expect
      .poll(async () => Number(await left.innerText()), { timeout: round })
      .toBeGreaterThan(least);
  }

  /** Puts chips and confirms them, in the round that runs; gives what was staked. */
  async bet(chips: readonly string[]): Promise<number> {
    const answered = this.page.waitForResponse((response) =>
      response.url().endsWith('/house/v1/table/bet'),
    );
    for (const spot of chips) await this.spot(spot).tap();
    await this.confirm.tap();
    const answer = await answered;
    expect(answer.ok(), await answer.text()).toBe(true);
    await expect(this.spot(chips[0] ?? '')).toHaveAttribute('data-mine', 'staked');
    const { value } = (await answer.json()) as { value: { bet: { total: number } } };
    return value.bet.total;
  }

  /** What the table itself shows as balance. */
  async purse(): Promise<number> {
    return digits(await this.frame.locator('.foot-value').first().innerText());
  }
}
