import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { clearSession } from '../../api/session.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { homeAnswers, vendor, winner } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { useToastStore } from '../../ui/toastStore.ts';
import WinnerBoardScreen from './WinnerBoardScreen.tsx';

const call = 'GET /wps/relay/GCSGAME_getRankList';

beforeEach(clearSession);

function open(list: unknown) {
  const requests = answerWith({ ...homeAnswers, [call]: list });
  renderScreen(<WinnerBoardScreen />);
  return requests;
}

const board = async () => within(await screen.findByRole('list', { name: 'Latest wins' }));

test('OS-04 EN-17 shows icon, masked player, vendor, game, amount and a link to the game', async () => {
  const requests = open({ list: [winner(1), winner(2, { position: 'F' })] });
  const rows = (await board()).getAllByRole('listitem');
  expect(rows[0]!.textContent).toBe('p***1Game 1 · JL1,000\u00A0₫');
  expect(rows[1]!.textContent).toBe('p***2Game 2 · JL₫2,000');
  expect(rows[0]!.querySelector('img')?.getAttribute('src')).toBe('/m/art/tiles/rng-1.webp');
  await userEvent.click(within(rows[0]!).getByRole('link', { name: 'Play Game 1 now' }));
  const path = new URLSearchParams(location.search).get('return') ?? '';
  // The launch needs all of these.
  expect(Object.fromEntries(new URL(path, location.origin).searchParams)).toEqual({
    vendor: 'JL',
    gameCategory: 'RNG',
    gameId: 'rng-1',
    nodeId: '1001',
    supportPlay: 'true',
  });
  const query = new URL(requests.find(({ url }) => url.includes('RankList'))!.url).searchParams;
  expect(Object.fromEntries(query)).toEqual({
    gameCategory: 'ALL',
    language: 'VI',
    limitNum: '100',
  });
});

test.each([
  [6, false],
  [7, true],
])('OS-04 a board of %i rows scrolls: %s', async (count, scrolls) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const scroll = vi.fn();
  Element.prototype.scrollTo = scroll;
  open({ list: Array.from({ length: count }, (_, i) => winner(i + 1)) });
  await board();
  vi.advanceTimersByTime(2600);
  expect(scroll).toHaveBeenCalledTimes(scrolls ? 1 : 0);
  expect(screen.queryAllByRole('button', { name: 'Stop the movement' })).toHaveLength(
    scrolls ? 1 : 0,
  );
  vi.useRealTimers();
});

test('a game under maintenance does not start and shows an error', async () => {
  history.replaceState(null, '', '/m/winnerBoard');
  answerWith({
    ...homeAnswers,
    [call]: { list: [winner(1)] },
    'GET /wps/relay/GCSGAME_newGameVendor': [
      { ...vendor('JL', 'Jade Lantern', ['RNG'], 1), maintenance: true },
    ],
  });
  renderScreen(<WinnerBoardScreen />);
  await userEvent.click(await screen.findByRole('link', { name: 'Play Game 1 now' }));
  expect(location.pathname).toBe('/m/winnerBoard');
  expect(useToastStore.getState().current?.kind).toBe('error');
});

test.each([true, false])(
  'OS-04 the board explains its amounts, and none has a sign; simulated: %s',
  async (simulated) => {
    open({ list: [{ ...winner(1), simulated }] });
    const [row] = (await board()).getAllByRole('listitem');
    expect(row!.textContent).not.toMatch(/[+−-]/);
    const says = /what a round paid out, its stake included/;
    expect(screen.getByRole('region', { name: 'Latest wins' }).textContent).toMatch(says);
  },
);

test.each([
  [true, 1],
  [undefined, 1],
  [false, 0],
])(
  'PP-13 board part: a win has the caption unless it is marked as real: %s',
  async (simulated, captions) => {
    open({ list: [{ ...winner(1), simulated }] });
    await board();
    expect(document.querySelectorAll('[data-caption]')).toHaveLength(captions);
  },
);

test('KO-03 in part: shows at most 100 rows', async () => {
  open({ list: Array.from({ length: 120 }, (_, i) => winner(i + 1)) });
  expect((await board()).getAllByRole('listitem')).toHaveLength(100);
});

test('shows the empty state and the error state', async () => {
  open({ list: [] });
  expect(await screen.findByText('Nobody has won lately')).toBeVisible();
  open(new Failing(500, 'system.error'));
  expect(await screen.findByRole('button', { name: /Load failed/ })).toBeVisible();
});
