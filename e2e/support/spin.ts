import type { Page } from '@playwright/test';

type Spin = { value: { round: { spins: Record<string, unknown>[] }; balance: number } };

/** Makes every spin win this amount with four dragons on a line. With 0, every spin loses. */
export async function forceWin(page: Page, win: number): Promise<void> {
  await page.route('**/house/v1/spin', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as Spin;
    const [spin] = body.value.round.spins;
    const steps = (spin?.['steps'] ?? []) as Record<string, unknown>[];
    const step = {
      ...steps[0],
      win,
      wins: [] as unknown[],
    };
    const cells = [
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 1],
    ];
    if (win > 0)
      step.wins.push({
        line: 4,
        ways: 0,
        symbol: 'dragon',
        count: 4,
        times: 60,
        amount: win,
        cells,
      });
    const spins = [{ ...spin, win, awarded: 0, steps: [step] }];
    Object.assign(body.value.round, { win, spins, freeRounds: 0 });
    await route.fulfill({ response, json: body });
  });
}

/** Makes every spin win this many free spins. */
export async function forceFreeRounds(page: Page, count: number): Promise<void> {
  await page.route('**/house/v1/spin', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as Spin;
    const [paid] = body.value.round.spins;
    const free = { ...paid, free: true, awarded: 0 };
    const spins = [
      { ...paid, free: false, awarded: count },
      ...Array.from({ length: count }, () => free),
    ];
    Object.assign(body.value.round, { spins, freeRounds: count });
    await route.fulfill({ response, json: body });
  });
}
