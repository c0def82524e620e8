import type { Page } from '@playwright/test';

type Spin = { value: { round: { spins: Record<string, unknown>[] }; balance: number } };

/** Changes the next spins to a win of four dragons on a line, or to a loss. */
export async function forceWin(page: Page, win: number): Promise<void> {
  await page.route('**/house/v1/spin', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as Spin;
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
    await route.fulfill({ response: answer, json: body });
  });
}

export async function forceFreeRounds(page: Page, count: number): Promise<void> {
  await page.route('**/house/v1/spin', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as Spin;
    const [paid] = body.value.round.spins;
    const free = { ...paid, free: true, awarded: 0 };
    const spins = [
      { ...paid, free: false, awarded: count },
      ...Array.from({ length: count }, () => free),
    ];
    Object.assign(body.value.round, { spins, freeRounds: count });
    await route.fulfill({ response: answer, json: body });
  });
}
