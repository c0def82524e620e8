import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import table from '../../../../internal/game/house/baccarat/baccarat.json';
import cascade from '../../../../internal/game/house/cascade/version1.json';
import cascade2 from '../../../../internal/game/house/cascade/version2.json';
import machine from '../../../../internal/game/house/slot/version1.json';
import machine2 from '../../../../internal/game/house/slot/version2.json';
import rounds from '../../../../internal/game/house/testdata/rounds.json';
import vectors from '../../../../internal/game/house/testdata/tables.vectors.json';
import ways from '../../../../internal/game/house/ways/version1.json';
import { clearSession, startSession } from '../../api/session.ts';
import { chooseLanguage } from '../../i18n/runtime.ts';
import type { Machine } from '../../lib/fairness-machine.ts';
import { evaluate, payout } from '../../lib/fairness-slot.ts';
import { commitmentOf, parseSeed, Stream } from '../../lib/fairness.ts';
import { answerWith } from '../../lib/testing/answers.ts';
import { enter } from '../../lib/testing/enter.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import { toast } from '../../ui/toastStore.ts';
import FairnessScreen from './FairnessScreen.tsx';

const seed = 'b8fbd6d82e0a17025808a6ab3084fd076f1a9aa380c599078daec5aacba1c6a3';
const rules = machine as unknown as Machine;

async function proof(overrides: Record<string, unknown> = {}) {
  const stream = new Stream(parseSeed(seed)!, 'mine', 12);
  const stops: number[] = [];
  // oxlint-disable-next-line no-await-in-loop -- the stream is sequential
  for (let reel = 0; reel < 5; reel += 1) stops.push(await stream.int(32));
  return {
    roundId: 'r1',
    vendor: 'JL',
    gameId: 'rng-1',
    gameName: 'Golden Dragon',
    engine: 'slot',
    version: 1,
    theme: 'egypt',
    at: Date.now(),
    stake: 10_000,
    win: Number(payout(rules, { spins: [evaluate(rules, stops)], freeRounds: 0 }, 10_000n)),
    currency: 'VND',
    commitment: await commitmentOf(parseSeed(seed)!),
    publishedAt: Date.now() - 60_000,
    seed,
    clientSeed: 'mine',
    nonce: 12,
    outcome: { spins: [{ stops }], freeRounds: 0 },
    ...overrides,
  };
}

function show(query: string, answers: Record<string, unknown> = {}) {
  history.replaceState(null, '', `/m/fairness${query}`);
  const requests = answerWith({
    ...homeAnswers,
    'GET /wps/fairness/engine': machine,
    'GET /wps/jackpot/draws': { list: [], next: '' },
    'GET /wps/fairness/seed': {
      commitment: 'ab'.repeat(32),
      publishedAt: Date.now(),
      clientSeed: 'mine',
      nonce: 13,
    },
    'PUT /wps/fairness/seed': {},
    ...answers,
  });
  renderScreen(
    <>
      <FairnessScreen />
      <ToastViewport />
    </>,
  );
  return requests;
}

const logIn = () =>
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });

beforeEach(() => {
  clearSession();
  toast.hide();
});

test('PP-17 verifier part: a played round is recomputed and matches', async () => {
  logIn();
  const round = await proof();
  show('?vendor=JL&roundId=r1', { 'GET /wps/fairness/round': round });
  expect(await screen.findByText('MATCH')).toBeVisible();
  expect(screen.getByText('SHA-256 = promise')).toBeVisible();
  expect(screen.getByText('same as the round')).toBeVisible();
  for (const stop of round.outcome.spins.flatMap(({ stops }) => stops)) {
    expect(screen.getAllByText(String(stop)).length).toBeGreaterThan(0);
  }
});

test('PP-17 verifier part: the game name follows the chosen language', async () => {
  logIn();
  const round = await proof();
  const names: Record<string, string> = { VI: 'Rồng Vàng', PT: 'Dragão Dourado' };
  show('?vendor=JL&roundId=r1', {
    'GET /wps/fairness/round': ({ headers }: Request) => ({
      ...round,
      gameName: names[headers.get('Language') ?? ''],
    }),
  });
  expect(await screen.findByText('Rồng Vàng')).toBeVisible();
  await act(() => chooseLanguage('pt'));
  expect(await screen.findByText('Dragão Dourado')).toBeVisible();
  await act(() => chooseLanguage('vi'));
});

test('PP-17 verifier part: the round shows the symbols of the played game', async () => {
  logIn();
  show('?vendor=JL&roundId=r1', { 'GET /wps/fairness/round': await proof() });
  expect(await screen.findByText('MATCH')).toBeVisible();
  const pictures = () => document.querySelectorAll<HTMLElement>('[role=img] > [data-pictures]');
  expect(pictures()).toHaveLength(15);
  for (const picture of pictures())
    expect(picture.style.backgroundImage).toContain('/m/art/house/egypt/symbols.webp');
  // Screen readers get the theme's symbol names, not the machine's.
  const labels = () => screen.getAllByRole('img').map((image) => image.getAttribute('aria-label'));
  const machineNames = /^(dragon|lotus|diamond|lantern|envelope)$/;
  expect(labels().filter((name) => !name || machineNames.test(name))).toEqual([]);
  const themedLabels = labels();
  fireEvent.error(document.querySelector('img[src*="/house/egypt/"]')!);
  expect(pictures()).toHaveLength(0);
  expect(labels()).toHaveLength(15);
  expect(labels()).not.toEqual(themedLabels);
});

test('PP-13 a failed load of the jackpot draws is reported and can be retried', async () => {
  logIn();
  let isDown = true;
  show('?vendor=JL&roundId=r1', {
    'GET /wps/fairness/round': await proof(),
    'GET /wps/jackpot/draws': () => {
      if (isDown) throw new TypeError('Failed to fetch');
      return { list: [ownDraw(null)], next: '' };
    },
  });
  const retry = await screen.findByRole('button', { name: /draws could not be loaded/ });
  isDown = false;
  await userEvent.click(retry);
  expect(await screen.findByRole('link', { name: /Check this draw/ })).toBeVisible();
  expect(screen.queryByText(/draws could not be loaded/)).toBeNull();
});

const ownDraw = (won: number | null, overrides: Record<string, unknown> = {}) => ({
  draw: { currency: 'VND', series: 3, nonce: 812, stake: 10_000, won },
  state: 'drawn',
  share: 100,
  vendor: 'JL',
  roundId: 'r1',
  at: Date.now(),
  ...overrides,
});

test.each([
  ['won', ownDraw(4_500_000_000), /Jackpot won.*4,500,000,000.*Series 3, draw 812: won/],
  ['not won', ownDraw(null), /Jackpot.*Series 3, draw 812: not won/],
])(
  'PP-13 PP-17 a round shows its jackpot draw and links to the proof: %s',
  async (_, own, expected) => {
    logIn();
    const requests = show('?vendor=JL&roundId=r1', {
      'GET /wps/fairness/round': await proof(),
      'GET /wps/jackpot/draws': { list: [own], next: '' },
    });
    const link = await screen.findByRole('link', { name: /Check this draw/ });
    expect(link.textContent).toMatch(expected);
    expect(link.getAttribute('href')).toBe('/m/fairness?currency=VND&series=3&draw=812');
    const request = requests.find(({ url }) => url.includes('/wps/jackpot/draws'))!;
    expect(new URL(request.url).search).toBe('?vendor=JL&roundId=r1');
  },
);

test('PP-13 a void stake has no draw and no proof', async () => {
  logIn();
  const draw = { currency: 'VND', series: 0, nonce: 0, stake: 10_000, won: null };
  show('?vendor=JL&roundId=r1', {
    'GET /wps/fairness/round': await proof(),
    'GET /wps/jackpot/draws': { list: [ownDraw(null, { state: 'void', draw })], next: '' },
  });
  expect(await screen.findByText('No part in a draw')).toBeVisible();
  expect(screen.queryByRole('link', { name: /Check this draw/ })).toBeNull();
});

const { result, pays, ...drawn } = vectors[0]!;

const ticket = (stake: number, win: number) => ({
  table: 'baccarat-1',
  number: 1,
  result,
  spots: [{ id: 'player', stake, win }],
});

test.each([
  ['PP-17 verifier part: a table ticket is dealt and paid again', 0, 'MATCH'],
  ['a ticket with another payout does not match', 1, /another result/],
])('%s', async (_, overrides, expected) => {
  logIn();
  const win = (pays.player ?? 0) + overrides;
  show('?vendor=NOX&roundId=r1', {
    'GET /wps/fairness/table': { ...table, returns: {} },
    'GET /wps/fairness/round': await proof({
      ...drawn,
      commitment: await commitmentOf(parseSeed(drawn.seed)!),
      stake: 1001,
      win,
      outcome: null,
      ticket: ticket(1001, win),
    }),
  });
  expect(await screen.findByText(expected)).toBeVisible();
});

test.each([
  ['another commitment', { commitment: '00'.repeat(32) }, /not the one that was promised/],
  ['other stops', { outcome: { spins: [{ stops: [1, 2, 3, 4, 5] }] } }, /another result/],
  ['another win', { win: 123_456 }, /another result/],
  ['another player’s seed', { clientSeed: 'theirs' }, /another result/],
  ['another number', { nonce: 13 }, /another result/],
])('PP-17 verifier part: %s does not match', async (_, overrides, words) => {
  logIn();
  show('?vendor=JL&roundId=r1', { 'GET /wps/fairness/round': await proof(overrides) });
  expect(await screen.findByText('NO MATCH')).toBeVisible();
  expect(screen.getByText(words)).toBeVisible();
});

test.each([
  [1, cascade],
  [2, cascade2],
])(
  'PP-17 verifier part: a round with falls and free rounds is recomputed to the end, version %d',
  async (wanted, data) => {
    logIn();
    const played = rounds.findLast(
      ({ engine, version }) => engine === 'cascade' && version === wanted,
    )!;
    const requests = show('?vendor=JL&roundId=r1', {
      'GET /wps/fairness/engine': data,
      'GET /wps/fairness/round': await proof({
        ...played,
        win: played.outcome.win,
        commitment: await commitmentOf(parseSeed(played.seed)!),
      }),
    });
    expect(await screen.findByText('MATCH')).toBeVisible();
    expect(screen.getByText('same as the round')).toBeVisible();
    const many = played.outcome.freeRounds;
    expect(screen.getByText(`Free rounds: ${many}`)).toBeVisible();
    expect(screen.getByText(`Free round ${many} of ${many}`)).toBeInTheDocument();
    expect(screen.getAllByText('After fall 1').length).toBeGreaterThan(0);
    const engine = requests.find(({ url }) => url.includes('fairness/engine'));
    expect(engine?.url).toContain(`name=cascade&version=${wanted}`);
  },
);

test('a running round does not show its seed', async () => {
  logIn();
  show('?vendor=JL&roundId=r1', { 'GET /wps/fairness/round': await proof({ seed: null }) });
  expect(await screen.findByText('This round still runs')).toBeVisible();
});

test('PP-17 verifier part: a visitor can type the values, with grouped digits and capitals', async () => {
  show('');
  const { commitment } = await proof();
  const type = async (name: string, text: string) =>
    userEvent.type(document.querySelector(`input[name="${name}"]`)!, text);
  // Entered at once: each key press recomputes the round.
  await enter(document.querySelector('input[name="commitment"]')!, commitment.toUpperCase());
  await enter(document.querySelector('input[name="seed"]')!, seed.replaceAll(/(.{4})/g, '$1 '));
  await type('clientSeed', 'mine');
  expect(screen.queryByText('MATCH')).toBeNull();
  await type('nonce', '12');
  expect(await screen.findByText('MATCH')).toBeVisible();
  await type('nonce', '3');
  expect(await screen.findByText('MATCH')).toBeVisible();
  await userEvent.type(document.querySelector('input[name="seed"]')!, '0');
  await waitFor(() => expect(screen.queryByText('MATCH')).toBeNull());
});

const queryOf = async (round: { seed: string; clientSeed: string; nonce: number }) =>
  `commitment=${await commitmentOf(parseSeed(round.seed)!)}&seed=${round.seed}` +
  `&clientSeed=${round.clientSeed}&nonce=${round.nonce}`;

test.each([
  ['baccarat', 'Player hand 6♣ 4♠ A♦ = 1'],
  ['sicbo', 'Dice 6 · 4 · 4'],
  ['dragontiger', 'Dragon Q♣'],
  ['roulette', 'Number on the wheel 1'],
])('PP-17 verifier part: anyone can verify a round of %s', async (engine, line) => {
  const round = vectors.find((one) => one.engine === engine)!;
  const requests = show(`?engine=${engine}&${await queryOf(round)}`);
  expect(await screen.findByText('MATCH')).toBeVisible();
  expect(document.body.textContent).toContain(line);
  expect(document.querySelector('input[name="clientSeed"]')?.getAttribute('value')).toBe(
    `${engine}-1`,
  );
  expect(screen.getByLabelText('Name of the table')).toBeVisible();
  expect(requests.some(({ url }) => url.includes('fairness/engine'))).toBe(false);
});

const machines = { slot: machine2, ways, cascade: cascade2 };

test.each(['slot', 'ways', 'cascade'] as const)(
  'PP-17 verifier part: anyone can choose %s from the list and verify a round',
  async (engine) => {
    const round = rounds.findLast((one) => one.engine === engine)!;
    const requests = show(`?engine=roulette&${await queryOf(round)}`, {
      'GET /wps/fairness/engine': machines[engine],
    });
    await screen.findByText(/Number on the wheel/);
    await userEvent.selectOptions(screen.getByLabelText('Game'), engine);
    expect(await screen.findByText('MATCH')).toBeVisible();
    for (const stop of round.outcome.spins[0]!.stops)
      expect(screen.getAllByText(String(stop)).length).toBeGreaterThan(0);
    expect(screen.queryByText(/Number on the wheel/)).toBeNull();
    expect(requests.some(({ url }) => url.includes(`name=${engine}&version=0`))).toBe(true);
  },
);

test('PP-17 verifier part: a round of an earlier rules version is checked with that version', async () => {
  const round = rounds.find(({ engine, version }) => engine === 'slot' && version === 1)!;
  const requests = show(`?engine=slot&${await queryOf(round)}`, {
    'GET /wps/fairness/engine': ({ url }: Request) =>
      url.includes('version=1') ? machine : machine2,
  });
  const versions = await screen.findByLabelText('Version of the rules');
  expect([...versions.querySelectorAll('option')].map(({ value }) => value)).toEqual(['2', '1']);
  await userEvent.selectOptions(versions, '1');
  await waitFor(() =>
    expect(requests.some(({ url }) => url.includes('name=slot&version=1'))).toBe(true),
  );
  expect(await screen.findByText('MATCH')).toBeVisible();
});

test('Check reports each invalid value under its field', async () => {
  show('');
  await userEvent.click(await screen.findByRole('button', { name: 'Check' }));
  expect(await screen.findAllByText('64 hex digits: 0–9 and a–f')).toHaveLength(2);
  expect(screen.getByText('A whole number from 1')).toBeVisible();
});

test('a link fills in the values', async () => {
  const { commitment } = await proof();
  show(`?commitment=${commitment}&seed=${seed}&clientSeed=mine&nonce=12`);
  expect(await screen.findByText('MATCH')).toBeVisible();
});

test('Copy all copies every value', async () => {
  const user = userEvent.setup();
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const { commitment } = await proof();
  show(`?commitment=${commitment}&seed=${seed}&clientSeed=mine&nonce=12`);
  await screen.findByText('MATCH');
  await user.click(screen.getByRole('button', { name: 'Copy all' }));
  await expect.poll(() => written.mock.calls.length).toBe(1);
  const [text = ''] = written.mock.calls[0] ?? [];
  for (const part of [commitment, seed, 'mine', '12', 'stops:']) expect(text).toContain(part);
});

test('the member can change their client seed, and invalid characters are refused', async () => {
  logIn();
  const requests = show('');
  await screen.findByText('Your next round');
  const input = await waitFor(() => {
    const found = document.querySelector<HTMLInputElement>('input[name="ownSeed"]');
    expect(found).not.toBeNull();
    return found!;
  });
  await userEvent.clear(input);
  await userEvent.type(input, 'not good');
  await userEvent.click(screen.getByRole('button', { name: 'Change my seed' }));
  expect(await screen.findByText('1–64 letters, digits, - and _')).toBeVisible();
  await userEvent.clear(input);
  await userEvent.type(input, 'lucky_7');
  await userEvent.click(screen.getByRole('button', { name: 'Change my seed' }));
  await expect.poll(() => requests.filter(({ method }) => method === 'PUT').length).toBe(1);
  expect(await requests.find(({ method }) => method === 'PUT')!.json()).toEqual({
    clientSeed: 'lucky_7',
  });
});

test('the link to a round offers visitors the login and the typed check', async () => {
  show('?vendor=JL&roundId=r1');
  expect(await screen.findByText('Log in to open your round')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Type the values' }).getAttribute('href')).toBe(
    '/m/fairness',
  );
});
