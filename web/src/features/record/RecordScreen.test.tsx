import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { chooseLanguage } from '../../i18n/runtime.ts';
import { answerWith } from '../../lib/testing/answers.ts';
import { homeAnswers, vendor } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import RecordScreen from './RecordScreen.tsx';

const bet = (number: number, more: Record<string, unknown> = {}) => ({
  roundId: `r${number}`,
  vendor: 'JL',
  vendorName: 'Jade Lantern',
  gameId: 'rng-1',
  gameName: `Game ${number}`,
  gameCategory: 'RNG',
  nodeId: '1001',
  stake: 10_000,
  win: 0,
  jackpots: [],
  net: -10_000,
  status: 'lost',
  startedAt: Date.now(),
  settledAt: Date.now(),
  provable: true,
  ...more,
});

const page = (list: unknown[], more: Record<string, unknown> = {}) => ({
  list,
  next: null,
  totals: {
    rounds: 126,
    stake: 24_860_000,
    win: 24_005_000,
    jackpot: 0,
    net: -855_000,
    open: 0,
    promo: 0,
  },
  hours: [],
  currency: 'VND',
  ...more,
});

const path = 'GET /wps/report/accountGameBetHistory';

function showRecord(answer: unknown, query = '') {
  history.replaceState(null, '', `/m/gameRecord${query}`);
  const requests = answerWith({
    ...homeAnswers,
    'GET /wps/relay/GCSGAME_newGameVendor': [vendor('JL', 'Jade Lantern', ['RNG'], 1)],
    [path]: answer,
  });
  renderScreen(<RecordScreen />);
  return () =>
    requests
      .filter((request) => `${request.method} ${new URL(request.url).pathname}` === path)
      .map((request) => new URL(request.url).searchParams);
}

beforeEach(() => {
  clearSession();
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
});

test('RT-09 the record shows stake, payout and net result of each round, and the totals', async () => {
  showRecord(
    page([
      bet(1),
      bet(2, { status: 'won', win: 194_000, net: 184_000 }),
      bet(3, { status: 'open', settledAt: null, win: 0, net: -10_000 }),
      bet(4, { status: 'refunded', net: 0 }),
    ]),
  );
  const totals = await screen.findByLabelText('Totals of this period');
  expect(totals.textContent).toContain('-855,000');
  expect(totals.textContent).toContain('126');
  expect(totals.textContent).toContain('24,860,000');
  expect(totals.textContent).toContain('24,005,000');
  const rows = screen.getAllByRole('listitem').map((row) => row.textContent);
  expect(rows[0]).toContain('-10,000');
  expect(rows[1]).toContain('+184,000');
  expect(rows[1]).toContain('194,000');
  expect(rows[2]).toContain('Running');
  expect(rows[3]).toContain('Refunded');
});

test('RT-09 game names follow the language, also after a change', async () => {
  const names: Record<string, string> = { VI: 'Rồng Vàng', PT: 'Dragão Dourado' };
  showRecord((request: Request) =>
    page([bet(1, { gameName: names[request.headers.get('Language') ?? ''] })]),
  );
  expect(await screen.findByText('Rồng Vàng')).toBeVisible();
  await act(() => chooseLanguage('pt'));
  expect(await screen.findByText('Dragão Dourado')).toBeVisible();
  await act(() => chooseLanguage('vi'));
});

test('RT-09 a settled provable round links to its proof', async () => {
  showRecord(page([bet(1), bet(2, { provable: false }), bet(3, { status: 'open' })]));
  const links = await screen.findAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/m/fairness?vendor=JL&roundId=r1',
  ]);
});

test('RT-09 PP-13 a jackpot shows under its round with a link to its draw, and in the totals', async () => {
  const net = 4_499_999_990;
  const jackpots = [{ series: 3, nonce: 812, amount: 4_500_000_000 }];
  const totals = { rounds: 2, stake: 20_000, win: 0, jackpot: 4_500_000_000, net };
  showRecord(page([bet(1, { status: 'won', jackpots, net }), bet(2)], { totals }));
  const [row, other] = await screen.findAllByRole('listitem');
  const won = within(row!).getByRole('link', { name: /Jackpot won/ });
  expect(won.textContent).toContain('+4,500,000,000');
  expect(won.getAttribute('href')).toBe('/m/fairness?currency=VND&series=3&draw=812');
  expect(within(other!).queryByText('Jackpot won')).toBeNull();
  const sums = screen.getByLabelText('Totals of this period');
  expect(within(sums).getByText('Jackpot').nextSibling?.textContent).toContain('4,500,000,000');
});

test('RT-09 GL-07 a vendor’s promotion shows without a stake, and in the totals', async () => {
  const totals = {
    rounds: 1,
    stake: 10_000,
    win: 0,
    jackpot: 0,
    net: -10_000,
    open: 0,
    promo: 5000,
  };
  const promo = { status: 'promo', stake: 0, win: 5000, net: 5000, provable: false };
  // A promotion and a round may have the same id.
  showRecord(page([bet(1, { ...promo, gameName: 'Game 2' }), bet(1)], { totals }));
  const [row, round] = await screen.findAllByRole('listitem');
  expect(row!.textContent).toContain('+5,000');
  expect(row!.textContent).toContain('Promotion');
  expect(row!.textContent).not.toContain('Stake');
  expect(round!.textContent).toContain('-10,000');
  const sums = screen.getByLabelText('Totals of this period');
  expect(within(sums).getByText('Promotion').nextSibling?.textContent).toContain('5,000');
});

test('RT-09 PP-13 without jackpots no row mentions one, also with an older server', async () => {
  showRecord(page([bet(1), bet(2, { jackpots: undefined })]));
  expect(await screen.findAllByRole('listitem')).toHaveLength(2);
  expect(screen.queryByText(/Jackpot/)).toBeNull();
});

test('RT-09 the filters are sent to the server and stored in the URL', async () => {
  const requests = showRecord(page([bet(1)]));
  await screen.findByText('Game 1');
  expect(requests()[0]!.get('status')).toBe('all');
  const choose = (name: string, value: string) =>
    fireEvent.change(screen.getByRole('combobox', { name }), { target: { value } });
  choose('Category', 'RNG');
  await screen.findByRole('option', { name: 'Jade Lantern' });
  choose('Provider', 'JL');
  choose('Result', 'won');
  choose('Period', '30d');
  await expect.poll(() => location.search).toBe('?period=30d&category=RNG&vendor=JL&status=won');
  await expect.poll(() => requests().at(-1)!.get('status')).toBe('won');
  const last = requests().at(-1)!;
  expect(last.get('gameCategory')).toBe('RNG');
  expect(last.get('vendor')).toBe('JL');
  const days = (Number(last.get('to')) - Number(last.get('from'))) / 86_400_000;
  expect(Math.round(days)).toBe(30);
});

test('a custom range is requested once both days are valid', async () => {
  const requests = showRecord(page([bet(1)]), '?period=own');
  expect(await screen.findByText('Choose both days, at most 92 days apart.')).toBeVisible();
  expect(requests()).toHaveLength(0);
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-03' } });
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-04' } });
  expect(await screen.findByText('The first day comes after the last.')).toBeVisible();
  expect(requests()).toHaveLength(0);
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-01' } });
  await expect.poll(() => requests().length).toBe(1);
  expect(location.search).toBe('?period=own&from=2026-11-01&to=2026-11-03');
});

test('CA-31 in part: stakes of running rounds are shown separately, neither won nor lost', async () => {
  const totals = { rounds: 1, stake: 50_000, win: 0, jackpot: 0, net: 0, open: 50_000 };
  showRecord(page([bet(1, { status: 'open', stake: 50_000, net: -50_000 })], { totals }));
  const sums = await screen.findByLabelText('Totals of this period');
  expect(sums.textContent).toMatch(/Still running\s*50,000/);
  expect(sums.textContent).not.toContain('-50,000');
});

test('an empty record without filters links to the games', async () => {
  showRecord(page([], { totals: { rounds: 0, stake: 0, win: 0, net: 0 } }));
  expect(await screen.findByText('You have not played in this period.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'To the games' })).toBeVisible();
});

test('an empty record with filters offers to clear them', async () => {
  showRecord(page([], { totals: { rounds: 0, stake: 0, win: 0, net: 0 } }), '?status=won');
  expect(await screen.findByText('Nothing fits these filters in this period.')).toBeVisible();
  const link = screen.getByRole('link', { name: 'Clear the filters' });
  expect(link.getAttribute('href')).toBe('/m/gameRecord');
});

test('a record that fails to load can be retried', async () => {
  let down = true;
  showRecord(() => {
    if (down) throw new TypeError('Failed to fetch');
    return page([bet(1)]);
  });
  const again = await screen.findByRole('button', { name: /Load failed/ });
  down = false;
  fireEvent.click(again);
  expect(within(await screen.findByRole('list')).getByText('Game 1')).toBeVisible();
});

test('CA-31 (chart) wins, losses and net result by day show in a chart, and in a table for screen readers', async () => {
  const at = new Date().setHours(0, 0, 0, 0);
  const hours = [{ at, won: 184_000, lost: 809_000 }];
  showRecord(page([bet(1)], { hours }));
  const chart = await screen.findByRole('figure', { name: 'Day by day' });
  const rows = within(chart).getAllByRole('row');
  expect(rows).toHaveLength(2);
  expect(rows[1]!.textContent).toMatch(/184,000.*809,000.*-625,000/);
  // Seven days, one of them with rounds: one bar up, one down.
  expect(chart.querySelectorAll('rect.wonBar')).toHaveLength(1);
  expect(chart.querySelectorAll('rect.lostBar')).toHaveLength(1);
  expect(chart.querySelectorAll('circle')).toHaveLength(7);
  expect(chart.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
  expect(screen.getByText('Net', { exact: true }).textContent).toContain('-625,000');
});

test('CA-31 (chart) in right-to-left languages the days run from the right', async () => {
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  const hours = [{ at: day.getTime(), won: 1000, lost: 0 }];
  const barAt = async () => {
    const chart = await screen.findByRole('figure', { name: 'Day by day' });
    return Number(chart.querySelector('rect.wonBar')?.getAttribute('x'));
  };
  showRecord(page([bet(1)], { hours }));
  expect(await barAt()).toBeGreaterThan(250);
  cleanup();
  document.documentElement.dir = 'rtl';
  showRecord(page([bet(1)], { hours }));
  expect(await barAt()).toBeLessThan(60);
  document.documentElement.dir = 'ltr';
});

test('CA-31 (chart) a single day has no chart', async () => {
  showRecord(page([bet(1)]), '?period=today');
  await screen.findByLabelText('Totals of this period');
  expect(screen.queryByRole('figure')).toBeNull();
});
