import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import table from '../../../../internal/game/house/baccarat/baccarat.json';
import { clearSession, startSession } from '../../api/session.ts';
import { deal, type Dealt } from '../../lib/fairness-table.ts';
import { commitmentOf, parseSeed, Stream } from '../../lib/fairness.ts';
import { rememberPromise } from '../../lib/round-promise.ts';
import { answerWith, sentTo } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import FairnessScreen from './FairnessScreen.tsx';

const seed = 'b8fbd6d82e0a17025808a6ab3084fd076f1a9aa380c599078daec5aacba1c6a3';
/** SHA-256 of the seed, three times. */
const end = '1a62c95590fd39bff21408d2fd3ec9d631d558f07e45938decb43ae20331c580';
const salt = '8babe5c34d4f604b12c8b2ee7e8d8e66';
const clientSeed = `${salt}-baccarat-1`;

const series = {
  id: '41',
  kind: 'table',
  name: 'baccarat-1',
  generation: 2,
  state: 'running',
  length: 1_000_000,
  used: 3,
  end,
  source: 'announced',
  detail: 'Special prize',
  dueAt: 1,
  value: '40213',
  signature: '',
  salt,
  createdAt: 1,
  startedAt: 1,
  endedAt: 0,
};

const pastRound = async () => ({
  number: 7,
  engine: 'baccarat',
  version: 1,
  calledOff: false,
  at: 1,
  commitment: await commitmentOf(parseSeed(seed)!),
  seed,
  clientSeed,
  seriesId: '41',
  link: 3,
  result: null,
});

const roundsReply = async () => ({ list: [await pastRound()], next: 0 });

function show(query: string, answers: Record<string, unknown>): Request[] {
  history.replaceState(null, '', `/m/fairness${query}`);
  const requests = answerWith({
    ...homeAnswers,
    'GET /wps/fairness/oneSeries': series,
    'GET /wps/jackpot/draws': { list: [], next: '' },
    ...answers,
  });
  renderScreen(<FairnessScreen />);
  return requests;
}

const verdict = () => document.querySelector('[data-verdict]')?.getAttribute('data-verdict');

const checkTheSeries = async () =>
  userEvent.click(await screen.findByRole('button', { name: 'Check the whole series' }));

async function openPastRound(answers: Record<string, unknown> = {}): Promise<Request[]> {
  const requests = show('', {
    'GET /wps/fairness/tables': {
      list: [{ id: 'baccarat-1', name: 'Baccarat 1', finished: 1, calledOff: 0, rate: '0.00' }],
    },
    'GET /wps/fairness/tableRounds': await roundsReply(),
    ...answers,
  });
  await userEvent.click(await screen.findByRole('link', { name: 'Round 7' }));
  await expect.poll(verdict).toBe('match');
  return requests;
}

beforeEach(() => {
  clearSession();
  localStorage.clear();
});

test('PP-17 part: the seed of a table round is hashed to the published end on demand', async () => {
  const requests = await openPastRound();
  const address = new URLSearchParams(location.search);
  expect([address.get('seriesId'), address.get('link')]).toEqual(['41', '3']);
  expect(screen.getByText(/^Not checked yet/)).toBeVisible();
  await checkTheSeries();
  expect(
    await screen.findByText(
      '3 hashes lead to the published end, and the salt is that of the series.',
    ),
  ).toBeVisible();
  expect(verdict()).toBe('match');
  expect(screen.queryByText(/^Not checked yet/)).toBeNull();
  expect(screen.getByText(/Series 2: link 3 of 1000000/)).toBeVisible();
  expect(sentTo(requests, '/wps/fairness/oneSeries').map(({ url }) => new URL(url).search)).toEqual(
    ['?id=41'],
  );
});

/** The salt of the series with the end of 64 zeros. */
const saltOfZeros = '9f9675c5a6b2a9201a812f96854dffc7';

test.each([
  [
    'the end',
    { end: '0'.repeat(64), salt: saltOfZeros },
    { clientSeed: `${saltOfZeros}-baccarat-1` },
    'The hashes do not lead to the published end.',
  ],
  ['the link', {}, { link: 2 }, 'The hashes do not lead to the published end.'],
  ['the salt', { value: '40214' }, {}, 'The salt is not that of the series.'],
  [
    'the client seed',
    {},
    { clientSeed: `${'0'.repeat(32)}-baccarat-1` },
    'The salt is not that of the series.',
  ],
])(
  'PP-17 part: a table round does not match when %s differs from the series',
  async (_, ofSeries, ofRound, text) => {
    await openPastRound({
      'GET /wps/fairness/tableRounds': { list: [{ ...(await pastRound()), ...ofRound }], next: 0 },
      'GET /wps/fairness/oneSeries': { ...series, ...ofSeries },
    });
    await checkTheSeries();
    expect(await screen.findByText(text)).toBeVisible();
    expect(verdict()).toBe('mismatch');
    expect(screen.getByText('The seed is not of the published series.')).toBeVisible();
  },
);

test('PP-17 part: a series that could not be loaded can be loaded again', async () => {
  let isDown = true;
  await openPastRound({
    'GET /wps/fairness/oneSeries': () => {
      if (isDown) throw new TypeError('Failed to fetch');
      return series;
    },
  });
  const retry = await screen.findByRole('button', { name: /The series could not be loaded/ });
  isDown = false;
  await userEvent.click(retry);
  await checkTheSeries();
  expect(await screen.findByText(/^3 hashes lead/)).toBeVisible();
});

test('PP-17 part: a changed value discards the check of the series', async () => {
  await openPastRound();
  await checkTheSeries();
  await screen.findByText(/^3 hashes lead/);
  await userEvent.type(screen.getByLabelText('Name of the table'), '0');
  await checkTheSeries();
  expect(await screen.findByText('The salt is not that of the series.')).toBeVisible();
});

test('PP-17 part: an old table round without a series has no check of a series', async () => {
  await openPastRound({
    'GET /wps/fairness/tableRounds': {
      list: [{ ...(await pastRound()), seriesId: '', link: 0 }],
      next: 0,
    },
  });
  expect(location.search).not.toContain('link');
  expect(screen.queryByRole('button', { name: 'Check the whole series' })).toBeNull();
});

function logIn(): void {
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
}

const ownRound = async (change: Record<string, unknown> = {}) => {
  const { commitment, engine, version } = await pastRound();
  const dealt = (await deal('baccarat', new Stream(parseSeed(seed)!, clientSeed, 7))) as Dealt;
  const { engine: _, ...result } = dealt;
  return {
    roundId: 'r1',
    vendor: 'NOX',
    gameId: 'table-1',
    gameName: 'Baccarat',
    engine,
    version,
    theme: '',
    at: 1,
    stake: 0,
    win: 0,
    currency: 'VND',
    commitment,
    publishedAt: 1,
    seed,
    clientSeed,
    nonce: 7,
    outcome: null,
    ticket: { table: 'baccarat-1', number: 7, result, spots: [] },
    ...change,
  };
};

test('PP-17 part: the series of an own ticket is found through the rounds of its table', async () => {
  logIn();
  const requests = show('?vendor=NOX&roundId=r1', {
    'GET /wps/fairness/table': { ...table, returns: {} },
    'GET /wps/fairness/round': await ownRound(),
    'GET /wps/fairness/tableRounds': await roundsReply(),
  });
  await expect.poll(verdict).toBe('match');
  await checkTheSeries();
  expect(await screen.findByText(/^3 hashes lead/)).toBeVisible();
  const [request] = sentTo(requests, '/wps/fairness/tableRounds');
  expect(new URL(request!.url).search).toBe('?table=baccarat-1&before=8');
});

test.each([
  ['commitment', { commitment: 'ab'.repeat(32) }, /^Round 7 does not match the promise/],
  ['client seed', { clientSeed: 'mine' }, /^Round 7 used another client seed/],
])(
  'PP-17 part: a round with another %s than this browser had before the spin does not match',
  async (_, before, text) => {
    logIn();
    const round = await ownRound();
    rememberPromise('r1', { ...round, ...before }, round);
    show('?vendor=NOX&roundId=r1', {
      'GET /wps/fairness/table': { ...table, returns: {} },
      'GET /wps/fairness/round': round,
    });
    await expect.poll(verdict).toBe('mismatch');
    expect(screen.getByText(text)).toBeVisible();
  },
);
