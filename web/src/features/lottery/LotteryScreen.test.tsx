import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { toggleFollowed } from '../../api/followed-draws.ts';
import { drawnNumbers } from '../../lib/fairness-lottery.ts';
import { commitmentOf, parseSeed } from '../../lib/fairness.ts';
import { navigate } from '../../lib/router.tsx';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import DrawNotices from './DrawNotices.tsx';
import LotteryHistoryScreen from './LotteryHistoryScreen.tsx';
import LotteryScreen from './LotteryScreen.tsx';
import StartLotteryScreen from './StartLotteryScreen.tsx';

const now = Date.now();

const lotteryGame = (gameId: string, more: Record<string, unknown> = {}) => ({
  gameId,
  gameCode: `code-${gameId}`,
  gameName: `Game ${gameId}`,
  gameGroupId: '12',
  type: 'k3',
  period: 60,
  lottoMode: ['Tradition', 'Entertainment'],
  prizeModes: ['Elott', 'ZY'],
  iconUrl: '',
  numero: '20261118-0871',
  openTime: now,
  closeTime: now + 36_000,
  drawTime: now + 41_000,
  serverTime: now,
  last: { numero: '20261118-0870', winNo: '5,3,5' },
  ...more,
});

const regional = lotteryGame('101', {
  gameGroupId: '1',
  type: 'regional',
  region: 'north',
  numero: '20261119',
  closeTime: now + 7_200_000,
  prizeModes: ['Lott', 'ZY'],
  last: { numero: '20261116', winNo: '36776' },
});

/** Calls under /lgw have no envelope. */
const bare = (value: unknown) => () => Response.json(value);

let answers: Record<string, unknown>;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  answers = {
    ...homeAnswers,
    'GET /lgw/games': bare([lotteryGame('1201'), regional]),
    'GET /lgw/games/game_menus': bare([{ gameGroupId: '12', name: 'K3', games: ['1201'] }]),
    'GET /lgw/vn/games/game_menu': bare([
      { region: 'north', days: [{ weekday: 1, games: ['101'] }] },
    ]),
    'GET /lgw/draw/101': bare({
      list: [{ numero: '20261116', winNo: '36776', drawTime: now, status: 'settled' }],
      next: '',
    }),
    'GET /lgw/vn/numeros/opened/game': bare({
      numero: '20261116',
      prizes: { DB: ['36776'], G7: ['16', '14'] },
    }),
  };
});

test('RT-20 in part: the lobby lists the next draws with their times and last results', async () => {
  answerWith(answers);
  renderScreen(<LotteryScreen />);
  const card = await screen.findByRole('link', { name: /Game 1201/ });
  expect(card).toHaveTextContent(/0:3\d/);
  expect(card).toHaveAttribute('href', '/m/startLottery?gameId=1201');
  expect(screen.getAllByRole('img', { name: '5' })).toHaveLength(2);
  await userEvent.click(screen.getByRole('button', { name: 'Week' }));
  expect(await screen.findByRole('link', { name: 'Game 101' })).toBeVisible();
});

test('the lobby can be loaded again after a failure', async () => {
  answerWith({
    ...answers,
    'GET /lgw/games': new Failing(500, 'system.error'),
  });
  renderScreen(<LotteryScreen />);
  const retry = await screen.findByRole('button', { name: /tap to retry/ });
  answerWith(answers);
  await userEvent.click(retry);
  expect(await screen.findByRole('link', { name: /Game 1201/ })).toBeVisible();
});

test('GL-06 in part: a lottery starts with the simple plays and its first price list, which can be changed', async () => {
  answerWith(answers);
  act(() => navigate('/m/startLottery?gameId=101&pageBack=1'));
  renderScreen(<StartLotteryScreen />);
  const play = await screen.findByRole('link', { name: 'Play now' });
  const query = () => new URL(play.getAttribute('href') ?? '', location.origin).searchParams;
  expect(Object.fromEntries(query())).toEqual({
    vendor: 'TCG_LOTTO_VN',
    gameCategory: 'LOTT',
    gameId: '101',
    gameGroupId: '1',
    playType: 'ent',
    prize_mode: 'Lott',
    pageBack: '1',
  });
  await userEvent.click(screen.getByRole('radio', { name: 'All bets' }));
  await userEvent.click(screen.getByRole('radio', { name: /ZY/ }));
  expect(query().get('playType')).toBe('trad');
  expect(query().get('prize_mode')).toBe('ZY');
});

test('GL-06 in part: a lottery without the simple plays starts with all bets', async () => {
  answerWith({
    ...answers,
    'GET /lgw/games': bare([{ ...regional, lottoMode: ['Tradition'] }]),
  });
  act(() => navigate('/m/startLottery?gameId=101'));
  renderScreen(<StartLotteryScreen />);
  const play = await screen.findByRole('link', { name: 'Play now' });
  const { searchParams } = new URL(play.getAttribute('href') ?? '', location.origin);
  expect(searchParams.get('playType')).toBe('trad');
  expect(searchParams.get('prize_mode')).toBe('Lott');
  expect(screen.queryByRole('radio', { name: 'Simple' })).toBeNull();
});

test('RT-31 results of a lottery, with all prizes of a regional draw', async () => {
  answerWith(answers);
  act(() => navigate('/m/lotteryHistory?gameId=101'));
  renderScreen(<LotteryHistoryScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Prizes of draw 16/11' }));
  expect(await screen.findByRole('row', { name: /G7\s*16\s*14/ })).toBeVisible();
});

test('PP-17 part: a visitor checks a draw of a fast lottery in its results', async () => {
  const seed = 'cd'.repeat(32);
  const game = lotteryGame('1201', { gameCode: 'k3-1' });
  const salt = 'ef'.repeat(16);
  const winNo = (await drawnNumbers('k3', 'k3-1', { link: 870, seed, salt }))!;
  const commitment = await commitmentOf(parseSeed(seed)!);
  const proof = { series: '7', link: 870, commitment, seed, salt, nonce: 870, version: 1 };
  answerWith({
    ...answers,
    'GET /lgw/games': bare([game]),
    'GET /lgw/series/7': bare({ series: '7', saltSource: 'announced' }),
    'GET /lgw/draw/1201': bare({
      list: [{ numero: '20261118-0870', winNo, drawTime: now, status: 'settled', proof }],
      next: '',
    }),
  });
  act(() => navigate('/m/lotteryHistory?gameId=1201'));
  renderScreen(<LotteryHistoryScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Check draw 0870' }));
  expect(await screen.findByText('The seed yields exactly these numbers.')).toBeVisible();
  expect(screen.getByText(/^The hash of the seed is the commitment/)).toBeVisible();
  expect(await screen.findByText(/starts with a public result that was announced/)).toBeVisible();
});

test('a followed draw is announced with its own numbers after later draws', async () => {
  toggleFollowed({ gameId: '1201', numero: '20261118-0871' });
  const later = lotteryGame('1201', {
    numero: '20261118-0880',
    last: { numero: '20261118-0879', winNo: '6,6,6' },
  });
  answerWith({
    ...answers,
    'GET /lgw/games': bare([later]),
    'GET /lgw/draw/1201': bare({
      list: [{ numero: '20261118-0871', winNo: '1,2,3', drawTime: now, status: 'settled' }],
      next: '',
    }),
  });
  renderScreen(
    <>
      <DrawNotices />
      <ToastViewport />
    </>,
  );
  expect(await screen.findByText('Game 1201, draw 0871: 1,2,3')).toBeVisible();
  expect(screen.queryByText(/6,6,6/)).toBeNull();
});

test('simulated regional results are labelled in the lobby', async () => {
  answerWith({
    ...answers,
    'GET /lgw/games': bare([{ ...regional, simulated: true }, lotteryGame('1201')]),
  });
  renderScreen(<LotteryScreen />);
  expect(await screen.findByRole('link', { name: /Game 101/ })).toHaveTextContent(
    'Drawn by this demo',
  );
  expect(screen.getByRole('link', { name: /Game 1201/ })).not.toHaveTextContent('demo');
});

test('a followed draw is announced when its result is there', async () => {
  answerWith(answers);
  const { unmount } = renderScreen(<LotteryScreen />);
  const bell = await screen.findByRole('button', { name: 'Tell me the result of Game 1201' });
  await userEvent.click(bell);
  expect(bell).toHaveAttribute('aria-pressed', 'true');
  unmount();
  const drawn = lotteryGame('1201', {
    numero: '20261118-0872',
    last: { numero: '20261118-0871', winNo: '1,2,3' },
  });
  answerWith({ ...answers, 'GET /lgw/games': bare([drawn]) });
  renderScreen(
    <>
      <DrawNotices />
      <ToastViewport />
    </>,
  );
  expect(await screen.findByText('Game 1201, draw 0871: 1,2,3')).toBeVisible();
});
