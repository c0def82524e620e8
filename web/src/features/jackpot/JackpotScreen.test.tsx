import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { formatTime } from '../../lib/dates.ts';
import { answerWith } from '../../lib/testing/answers.ts';
import { homeAnswers, jackpot, pool, realJackpot } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import JackpotScreen from './JackpotScreen.tsx';

const page = { name: 'jackpot', title: 'Jackpot rules', content: '<p>How it is won.</p>' };
const answers: Record<string, unknown> = {
  ...homeAnswers,
  'GET /wps/system/page/jackpot': page,
  'GET /wps/system/jackpot': realJackpot,
  'GET /wps/jackpot/pool': pool,
};

const draw = {
  currency: 'VND',
  series: 2,
  nonce: 17,
  stake: 10_000,
  unit: 100,
  parts: 2_000_000_000,
  clientSeed: pool.clientSeed,
  commitment: pool.commitment,
  publishedAt: pool.publishedAt,
  seed: null,
  number: null,
  below: null,
  won: null,
};
const own = {
  draw,
  state: 'drawn',
  share: 100,
  vendor: 'JL',
  roundId: 'r1',
  at: 1_773_480_500_000,
};

beforeEach(clearSession);

test('PP-13 a real pool: shows amount, share, chance, seed, cap, commitments and wins', async () => {
  answerWith(answers);
  renderScreen(<JackpotScreen />);
  const card = within(await screen.findByRole('region', { name: 'Jackpot' }));
  expect(await card.findByText('4,000,000,000 ₫')).toBeVisible();
  for (const [name, fact] of [
    ['Began with', '3,700,000,000 ₫'],
    ['Share of each stake', '1.0%'],
    ['Chance', '1 in 20,000,000 for each 10,000 ₫ staked'],
    ['Counts of one stake at most', '500,000 ₫'],
    ['Wins in 24 hours at most', '3, then it rests'],
    ['Grows to at most', '37,000,000,000 ₫'],
    ['Draws so far', '1,234'],
  ] as const) {
    const shown = card.getByText(name).nextElementSibling?.textContent;
    expect(shown?.replaceAll(/\s/g, ' ').replaceAll(/[\u2066\u2069]/g, '')).toBe(fact);
  }
  const games = within(card.getByText('Games').nextElementSibling as HTMLElement);
  expect(games.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/m/gameList?gameType=JL&vassalage=JL',
    '/m/gameList?gameType=RNG&vassalage=JL',
  ]);
  expect(screen.queryByText('Illustration')).toBeNull();
  expect(screen.queryByText('Grows by')).toBeNull();
  for (const digest of [pool.commitment, pool.nextCommitment]) {
    expect(screen.getByText(digest)).toBeVisible();
  }
  const wins = within(screen.getByRole('region', { name: 'Won before' }));
  expect(wins.getByText('mi***2')).toBeVisible();
  expect(wins.getByText('5,700,000,543 ₫')).toBeVisible();
  expect(wins.getByRole('link', { name: 'Check' }).getAttribute('href')).toBe(
    '/m/fairness?currency=VND&series=1&draw=2',
  );
  expect(screen.queryByRole('region', { name: 'Your draws' })).toBeNull();
});

test('PP-13 a pool without a share shows that it no longer grows', async () => {
  answerWith({ ...answers, 'GET /wps/jackpot/pool': { ...pool, sharePerMille: 0, wins: [] } });
  renderScreen(<JackpotScreen />);
  expect(await screen.findByText(/None any more/)).toBeVisible();
  expect(screen.getByText('Nobody has won it yet.')).toBeVisible();
});

test('PP-13 a pool that waits for its seed shows no promise', async () => {
  const waiting = { ...pool, commitment: '', nextCommitment: '', clientSeed: '' };
  answerWith({ ...answers, 'GET /wps/jackpot/pool': waiting });
  renderScreen(<JackpotScreen />);
  expect(await screen.findByRole('region', { name: 'Won before' })).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Promised before the draws' })).toBeNull();
});

test('PP-13 the game links include the vendors that the operator added', async () => {
  const [, slots] = pool.games;
  const games = [{ category: 'JL', vendors: ['JL', 'AB', 'CD'] }, slots];
  answerWith({ ...answers, 'GET /wps/jackpot/pool': { ...pool, games } });
  renderScreen(<JackpotScreen />);
  const list = await screen.findByRole('link', { name: 'JL' });
  expect(list.getAttribute('href')).toBe('/m/gameList?gameType=JL&vassalage=JL%2CAB%2CCD');
});

test('PP-13 a paused pool shows when it restarts and no amount', async () => {
  const beginsAt = 1_773_566_813_000;
  answerWith({
    ...answers,
    'GET /wps/system/jackpot': { ...realJackpot, amount: 0, games: [] },
    'GET /wps/jackpot/pool': { ...pool, amount: 0, games: [], beginsAt },
  });
  renderScreen(<JackpotScreen />);
  const card = await screen.findByRole('region', { name: 'Jackpot' });
  const text = card.textContent;
  expect(text).toContain('has reached its limit of wins in 24 hours');
  expect(text).toContain(`begins at ${formatTime(beginsAt, 'en')}`);
  expect(text).toContain('stakes do not add to the jackpot and cannot win it');
  expect(text).not.toContain('₫');
  expect(screen.getByRole('region', { name: 'Won before' })).toBeVisible();
  expect(screen.queryByText('Illustration')).toBeNull();
});

test('PP-13 a member sees their own draws with links to the proofs', async () => {
  const session = { token: 't', type: 0, userName: 'demo88', merchantCode: 'f' };
  act(() => startSession({ ...session, firstTimeLogin: false }));
  answerWith({
    ...answers,
    'GET /wps/jackpot/draws': {
      list: [
        { ...own, state: 'open', roundId: 'r3', draw: { ...draw, series: 0, nonce: 0 } },
        { ...own, roundId: 'r2', draw: { ...draw, series: 1, nonce: 2, won: 5_700_000_543 } },
        own,
        { ...own, state: 'void', roundId: 'r0', draw: { ...draw, series: 0, nonce: 0 } },
      ],
      next: '',
    },
  });
  renderScreen(<JackpotScreen />);
  const mine = within(await screen.findByRole('region', { name: 'Your draws' }));
  const rows = await mine.findAllByRole('listitem');
  expect(rows.map((row) => within(row).queryByRole('link')?.getAttribute('href') ?? null)).toEqual([
    null,
    '/m/fairness?currency=VND&series=1&draw=2',
    '/m/fairness?currency=VND&series=2&draw=17',
    null,
  ]);
  const words = [
    'Drawn when the round is settled',
    '5,700,000,543 ₫',
    'Series 2, draw 17: not won',
    'No part in a draw',
  ];
  // The merchant's currency may load later.
  await expect
    .poll(() => rows.map((row) => row.textContent.replaceAll(/\s/g, ' ')))
    .toEqual(words.map((each) => expect.stringContaining(each)));
});

test.each([
  ['the jackpot', 'GET /wps/system/jackpot', 'Jackpot'],
  ['its rules', 'GET /wps/system/page/jackpot', 'Jackpot rules'],
])(
  'ER-02 jackpot part: a failed load of %s shows an error, and a tap retries',
  async (_, call, name) => {
    const given: Record<string, unknown> = { ...answers };
    delete given[call];
    answerWith(given);
    renderScreen(<JackpotScreen />);
    const retry = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
    expect(screen.getByText(/Network offline or unstable/)).toBeVisible();
    given[call] = answers[call];
    await userEvent.click(retry);
    expect(await screen.findByRole('region', { name })).toBeVisible();
  },
);

test('PP-13 a simulated jackpot has the caption and requests no pool', async () => {
  const { 'GET /wps/jackpot/pool': _, ...rest } = answers;
  answerWith({ ...rest, 'GET /wps/system/jackpot': jackpot });
  renderScreen(<JackpotScreen />);
  expect(await screen.findByText('Illustration')).toBeVisible();
  expect(screen.getByText('A simulation of this server')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Won before' })).toBeNull();
});

test('PP-13 in part: the screen says that there is no jackpot, and requests no pool', async () => {
  const { 'GET /wps/jackpot/pool': _, ...rest } = answers;
  answerWith({ ...rest, 'GET /wps/system/jackpot': { ...jackpot, source: 'none', amount: 0 } });
  renderScreen(<JackpotScreen />);
  expect(await screen.findByText('There is no jackpot at the moment.')).toBeVisible();
  expect(screen.queryByText('Illustration')).toBeNull();
});
