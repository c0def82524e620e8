import { Play, digits, slotAddress, type Round } from '../pages/play.ts';
import { newMember } from '../support/member.ts';
import { expect, test, type Session } from '../support/test.ts';

// The wins appear on the winner board.
test.use({ leavesWins: true });

const initialBalance = 1_000_000;

async function openGame(
  page: ConstructorParameters<typeof Play>[0],
  { server, request, open }: Fixtures,
  language: 'vi' | 'en' | 'ur' | 'pt' = 'en',
): Promise<{ play: Play; session: Session }> {
  const session = await newMember(server, request);
  await server.adjust(session.userName, initialBalance);
  await open('/m/game', { language, session });
  await page.goto(slotAddress);
  const play = new Play(page, language);
  await play.expectReady();
  return { play, session };
}

type Fixtures = {
  server: Parameters<typeof newMember>[0];
  request: Parameters<typeof newMember>[1];
  open: (
    path: string,
    look: { language: 'vi' | 'en' | 'ur' | 'pt'; session: Session },
  ) => Promise<void>;
};

test('RT-09 CA-31 betting part, GL-07 PP-01 PP-03 PP-15 rounds are won and lost, and balance, net position, record and proofs agree', async ({
  page,
  open,
  server,
  request,
}) => {
  const { play } = await openGame(page, { server, request, open });
  await expect.poll(() => play.shownBalance()).toBe(initialBalance);
  const played = new Map<string, Round>();
  let won = false;
  let lost = false;
  let rounds = 0;
  let expectedBalance = initialBalance;
  while (rounds < 60 && !(won && lost)) {
    const round = await play.spin();
    played.set(round.id, round);
    rounds += 1;
    if (round.win > round.stake) won = true;
    if (round.win < round.stake) lost = true;
    expectedBalance += round.win - round.stake;
    await expect.poll(() => play.shownBalance()).toBe(expectedBalance);
  }
  expect([won, lost]).toEqual([true, true]);
  await expect
    .poll(async () => (await play.shownNet()) - ((await play.shownBalance()) - initialBalance))
    .toBe(0);
  const net = await play.shownNet();

  await page.goto('/m/gameRecord');
  const totals = page.getByLabel(play.text('Totals of this period'), { exact: true });
  await expect(totals).toContainText(`${rounds} rounds`);
  expect(digits(await totals.locator('bdi').first().innerText())).toBe(net);

  expect(played.size).toBe(rounds);
  const all = [...played.entries()];
  expect(all.reduce((sum, [, { stake, win }]) => sum + win - stake, 0)).toBe(net);
  const examples = [
    all.findLast(([, { stake, win }]) => win > stake),
    all.findLast(([, { stake, win }]) => win < stake),
  ];
  for (const example of examples) {
    if (!example) throw new Error('no such round');
    const [id, { stake, win }] = example;
    await page.goto('/m/gameRecord');
    const row = page.locator(`main a[href*="roundId=${id}"]`);
    await expect(row).toBeVisible();
    const amounts = await row.locator('bdi').filter({ hasText: '₫' }).allInnerTexts();
    expect(amounts.map((text) => digits(text))).toEqual([win - stake, stake, win]);
    await row.tap();
    await expect(page.getByText(play.text('MATCH'), { exact: true })).toBeVisible();
    await expect(page.getByText(play.text('same as the round'), { exact: true })).toBeVisible();
    const card = page.locator('main section').filter({ hasText: '#' }).first();
    expect(digits(await card.locator('bdi').last().innerText())).toBe(win);
  }
});

test('PP-15 client part: a reloaded page resumes, and nothing is staked again', async ({
  page,
  open,
  server,
  request,
}) => {
  const { play } = await openGame(page, { server, request, open });
  const { stake, win } = await play.spin();
  await expect.poll(() => play.shownBalance()).toBe(initialBalance - stake + win);
  const after = await play.spinAndLoseResponse();
  await expect.poll(() => play.shownBalance()).toBe(after);
  await page.reload();
  await play.expectReady();
  await expect.poll(() => play.shownBalance()).toBe(after);
  await expect.poll(() => play.shownNet()).toBe(after - initialBalance);
});

test(
  'GL-03 a tile starts its game by category, vendor, game and node, and going back returns to the list',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    const session = await newMember(server, request);
    await server.adjust(session.userName, initialBalance);
    await open('/m/home', { language: 'en', session });
    await page.locator('main a[href*="gameId=rng-001"]').first().tap();
    const play = new Play(page, 'en');
    await play.expectReady();
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({
      vendor: 'JL',
      gameCategory: 'RNG',
      gameId: 'rng-001',
      nodeId: expect.stringMatching(/^\d+$/),
      supportPlay: 'true',
    });
    await page.goBack();
    await expect(page).toHaveURL('/m/home');
    await expect(play.spinButton).toHaveCount(0);
  },
);

test('SE-10 journey: a game stays in its frame, and messages from other origins or of unknown form are ignored', async ({
  page,
  open,
  server,
  request,
}) => {
  const { play } = await openGame(page, { server, request, open });
  const iframe = page.locator('main iframe');
  await expect(iframe).toHaveAttribute('sandbox', 'allow-scripts allow-same-origin');
  const close = { fairground: 1, type: 'close' };
  await page.evaluate((message) => window.postMessage(message, '*'), close);
  // Looks the frame up each time, because a round with free rounds reloads the page.
  const postFromGame = async (message: object) => {
    const game = await (await iframe.elementHandle())?.contentFrame();
    await game?.evaluate((data) => window.parent.postMessage(data, '*'), message);
  };
  await postFromGame({ ...close, more: 1 });
  await postFromGame({ ...close, fairground: 2 });
  await postFromGame({ fairground: 1, type: 'preference', sound: 'loud' });
  await play.spin();
  await expect(page).toHaveURL(slotAddress);
  await postFromGame(close).catch(() => {});
  // The game was opened directly, so leaving it goes home.
  await expect(page).toHaveURL('/m/home');
});

test('PP-17 a played round is verified in the app, and altered values are not', async ({
  page,
  open,
  server,
  request,
}) => {
  const { play } = await openGame(page, { server, request, open });
  // The proof starts with the commitment shown before the bet.
  const committed = await play.readCommitment();
  await play.closeSheet();
  await play.spin();
  const next = await play.readCommitment(committed.nonce + 1);
  expect(next.commitment).not.toBe(committed.commitment);
  await play.fairPlay
    .getByRole('button', { name: play.text('Check the last round'), exact: true })
    .tap();
  // The proof opens over the game. Its link leads to the page with every step.
  const proof = play.frame.getByRole('dialog');
  await expect(proof.getByRole('status')).toHaveAttribute('data-ok', 'true');
  await expect(proof).toContainText(committed.commitment.replaceAll(' ', ''));
  await expect(page).toHaveURL(slotAddress);
  await proof.locator('button.act').tap();
  await expect(page).toHaveURL(/\/m\/fairness\?vendor=JL&roundId=\d+/);
  await expect(page.getByLabel(play.text('Commitment'), { exact: true }).first()).toHaveText(
    committed.commitment,
  );
  await expect(page.getByLabel(play.text('Number (nonce)'), { exact: true })).toHaveText(
    String(committed.nonce),
  );
  await expect(page.getByText(play.text('MATCH'), { exact: true })).toBeVisible();
  await expect(page.locator('[data-pictures="dragon"]')).toHaveCount(15);
  await expect(page.locator('main img[src*="/house/dragon/"]')).toBeHidden();
  await page
    .getByRole('button', { name: play.text('Change the values by hand'), exact: true })
    .tap();
  await page.locator('input[name="nonce"]').fill('999');
  await expect(page.getByText(play.text('NO MATCH'), { exact: true })).toBeVisible();
});

test(
  'GL-03 journey: launching a game while its vendor is down shows an error immediately, loses nothing and can be retried',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    const session = await newMember(server, request);
    await server.adjust(session.userName, initialBalance);
    await page.route('**/house/v1/**', (route) => route.abort());
    await open(slotAddress, { language: 'en', session });
    const play = new Play(page, 'en');
    await expect(page.getByText(play.text('The game did not start'))).toBeVisible();
    await page.unroute('**/house/v1/**');
    await page.getByRole('button', { name: play.text('Try again'), exact: true }).tap();
    await play.expectReady();
    await expect.poll(() => play.shownBalance()).toBe(initialBalance);

    await page.route('**/wps/game/launchGame', (route) => route.abort());
    await page.reload();
    await expect(
      page.getByRole('button', { name: play.text('Try again'), exact: true }),
    ).toBeVisible();
    await page.unroute('**/wps/game/launchGame');
    await page.getByRole('button', { name: play.text('Try again'), exact: true }).tap();
    await play.expectReady();
  },
);

test(
  'PP-03 journey: another game continues the same session, so the loss stays visible',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    const { play } = await openGame(page, { server, request, open });
    const { stake, win } = await play.spin();
    await expect.poll(() => play.shownNet()).toBe(win - stake);
    await page.goto('/m/launchGame?vendor=NOX&gameCategory=LIVE&gameId=live-001&supportPlay=true');
    await expect(play.strip).toContainText('RTP');
    await expect.poll(() => play.shownNet()).toBe(win - stake);
  },
);

test(
  'GL-07 journey: an idle slot requests no animation frame, before and after a round',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    await page.addInitScript(() => {
      const originalRequest = window.requestAnimationFrame.bind(window);
      let requested = 0;
      window.requestAnimationFrame = (callback) => {
        requested += 1;
        return originalRequest(callback);
      };
      const extraFrames = () =>
        new Promise<number>((resolve) => {
          const before = requested;
          let left = 20;
          const step = (): void => {
            left -= 1;
            if (left > 0) originalRequest(step);
            else resolve(requested - before);
          };
          originalRequest(step);
        });
      Object.assign(window, { extraFrames });
    });
    const { play } = await openGame(page, { server, request, open });
    const extraFrames = () =>
      play.frame
        .locator('body')
        .evaluate(() =>
          (window as unknown as { extraFrames: () => Promise<number> }).extraFrames(),
        );
    await expect.poll(extraFrames).toBe(0);
    await play.spin();
    await expect.poll(extraFrames, { timeout: 60_000 }).toBe(0);
  },
);

test('PP-05 journey: a limit stops the bet that would exceed it', async ({
  page,
  open,
  server,
  request,
}) => {
  const { play, session } = await openGame(page, { server, request, open });
  const { stake, win } = await play.spin();
  const headers = { Authorization: session.token };
  const data = { kind: 'stake', period: 'day', amount: 10_000 };
  const response = await request.put('/wps/member/limits', { headers, data });
  expect(response.ok(), await response.text()).toBe(true);
  await expect.poll(() => play.shownBalance()).toBe(initialBalance - stake + win);
  await play.spinButton.tap();
  await expect(play.frame.getByText('A limit has been reached')).toBeVisible();
  expect(await play.shownBalance()).toBe(initialBalance - stake + win);
});

test(
  'PP-05 journey: a limit shows its remainder, and play continues with a stake that fits',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    const { play, session } = await openGame(page, { server, request, open });
    const first = await play.spin();
    const headers = { Authorization: session.token };
    const data = { kind: 'stake', period: 'day', amount: 16_000 };
    const response = await request.put('/wps/member/limits', { headers, data });
    expect(response.ok(), await response.text()).toBe(true);
    const expectedBalance = initialBalance - first.stake + first.win;
    await expect.poll(() => play.shownBalance()).toBe(expectedBalance);
    // The remainder appears later than the limit itself, and must not move a button.
    const limitsReleased = Promise.withResolvers<void>();
    await page.route('**/wps/member/limits', async (route) => {
      await limitsReleased.promise;
      await route.fallback();
    });
    await play.spinButton.tap();
    const card = play.frame.getByRole('alert');
    const limits = card.getByRole('button', { name: 'My limits', exact: true });
    const position = await limits.boundingBox();
    await expect(card.getByRole('button')).toHaveCount(2);
    limitsReleased.resolve();
    await expect(card).toContainText('This stake is over your limit');
    await expect(card.getByRole('button')).toHaveCount(3);
    expect(await limits.boundingBox()).toEqual(position);
    await expect(card).toContainText(/16,000.*6,000/);
    expect(await play.shownBalance()).toBe(expectedBalance);
    await card.getByRole('button', { name: /^Lower the stake to 5,000/ }).tap();
    const { stake } = await play.spin();
    expect(stake).toBe(5000);
    await play.spinButton.tap();
    await expect(card).toContainText(/16,000.*1,000/);
    await limits.tap();
    await expect(page).toHaveURL(/\/m\/member\/limits$/);
  },
);

test(
  'PP-07 PP-03 journey: a break that starts during a round lets the round end and count',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    const { play, session } = await openGame(page, { server, request, open });
    const headers = { Authorization: session.token };
    // The server plays the round, and the break starts before the game receives it.
    const playedRound = Promise.withResolvers<Round>();
    await page.route('**/house/v1/spin', async (route) => {
      const response = await route.fetch();
      if (response.ok()) {
        const data = { period: '24h' };
        const breakResponse = await request.post('/wps/member/limits/break', { headers, data });
        expect(breakResponse.ok(), await breakResponse.text()).toBe(true);
        const { value } = (await response.json()) as { value: { round: Round } };
        playedRound.resolve(value.round);
      }
      await route.fulfill({ response });
    });
    await play.spinButton.tap();
    const { id, stake, win } = await playedRound.promise;
    await expect(page.getByText(play.text('Your break has begun'))).toBeVisible();
    await expect.poll(() => play.shownNet()).toBe(win - stake);
    await page.getByRole('button', { name: play.text('Betting record'), exact: true }).tap();
    await expect(page.locator(`main a[href*="roundId=${id}"]`)).toBeVisible();
  },
);

test('PP-07 journey: self-exclusion in another tab ends play here and prevents a new start, and withdrawing stays possible', async ({
  page,
  open,
  server,
  request,
}) => {
  const { play, session } = await openGame(page, { server, request, open });
  const headers = { Authorization: session.token };
  const breakResponse = await request.post('/wps/member/limits/break', {
    headers,
    data: { period: '6M' },
  });
  expect(breakResponse.ok(), await breakResponse.text()).toBe(true);
  await expect(page.getByText(play.text('Your break has begun'))).toBeVisible();
  await expect(page.locator('main iframe')).toHaveCount(0);
  await page.goto(slotAddress);
  await expect(page.getByText(play.text('You are on a break'), { exact: true })).toBeVisible();
  await page.goto('/m/member/limits');
  await expect(page.getByText(/^You have excluded yourself until/)).toBeVisible();
  await expect(
    play.main.getByRole('link', { name: play.text('Withdraw'), exact: true }),
  ).toHaveAttribute('href', '/m/withdraw');
});
