import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { applyBalance } from '../../api/wallet.ts';
import { sentTo } from '../../lib/testing/answers.ts';
import { frame } from '../../lib/testing/game.ts';
import { comeIn, launched, noLimits, show, sitting } from './testing.tsx';

beforeEach(comeIn);

afterEach(() => {
  vi.restoreAllMocks();
});

const inWindow = {
  ...launched,
  mode: 'window',
  gameUrl: 'https://games.example/play',
  origin: 'https://games.example',
};

test('GL-08 a blocked popup says so, and the next tap tries again', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  const { asked } = await show({ 'POST /wps/game/launchGame': inWindow });
  expect(await screen.findByText('Popup blocked, please allow popups and try again')).toBeDefined();
  const replace = vi.fn<(address: string) => void>();
  open.mockReturnValue({ location: { replace }, close: () => {} } as unknown as Window);
  await userEvent.click(screen.getByRole('button', { name: 'Open the game' }));
  await expect.poll(() => replace.mock.calls).toEqual([['https://games.example/play']]);
  expect(sentTo(asked, 'POST /wps/game/launchGame')).toHaveLength(1);
  expect(await screen.findByText('The game is open in another window')).toBeDefined();
});

/** Shows a game in a window of its own, which can be looked at. */
async function windowed(answers: Parameters<typeof show>[0] = {}) {
  const close = vi.fn<() => void>();
  const game = { location: { replace: () => {} }, close } as unknown as Window;
  vi.spyOn(window, 'open').mockReturnValue(game);
  const shown = await show({ 'POST /wps/game/launchGame': inWindow, ...answers });
  await screen.findByText('The game is open in another window');
  return { ...shown, close };
}

test('PP-04 in a window of its own: the check is asked here, and to stop closes game and sitting', async () => {
  const dueAt = Date.now() - 1;
  const { asked, close } = await windowed({
    'GET /wps/game/play': () => sitting({ realityCheck: { minutes: 30, dueAt } }),
  });
  const check = await screen.findByRole('alertdialog');
  await userEvent.click(within(check).getByRole('button', { name: 'Stop playing' }));
  await expect.poll(() => location.pathname).toBe('/m/game');
  await expect.poll(() => sentTo(asked, 'DELETE /wps/game/play')).toHaveLength(1);
  expect(close).toHaveBeenCalledTimes(1);
});

test('PP-07 in a window of its own: a break taken elsewhere ends play there', async () => {
  let rest: unknown = null;
  const { cache, close } = await windowed({
    'GET /wps/member/limits': () => ({ ...noLimits, break: rest }),
  });
  rest = { kind: 'timeOut', period: '24h', since: Date.now(), until: Date.now() + 86_400_000 };
  await act(() => cache.invalidateQueries({ queryKey: ['own'] }));
  expect(await screen.findByText('Your break has begun')).toBeDefined();
  expect(close).toHaveBeenCalledTimes(1);
});

test('PP-01 in a window of its own: the balance stands here in the account’s currency, and follows the stream', async () => {
  const { cache } = await windowed();
  const balance = await screen.findByText(/^Balance/);
  await waitFor(() => expect(balance.textContent).toMatch(/12,480,500\s₫/));
  const news = { kind: 'cash', currency: 'VND', balance: 12_470_500, version: 2 };
  act(() => applyBalance(cache, JSON.stringify(news)));
  await waitFor(() => expect(balance.textContent).toMatch(/12,470,500\s₫/));
});

test('PP-03 a window opened again goes on from what the first came to, which is closed', async () => {
  let launches = 0;
  const { asked, close } = await windowed({
    'POST /wps/game/launchGame': () => {
      launches += 1;
      return { ...inWindow, playId: `play-${launches}` };
    },
    'GET /wps/game/play': (request: Request) =>
      new URL(request.url).searchParams.get('playId') === 'play-2'
        ? sitting({ playId: 'play-2', net: -40_000 })
        : sitting(),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Open it again' }));
  await expect.poll(() => sentTo(asked, 'DELETE /wps/game/play')).toHaveLength(1);
  expect(sentTo(asked, 'DELETE /wps/game/play')[0]?.url).toContain('play-1');
  expect(close).toHaveBeenCalledTimes(1);
  expect(await screen.findByText(/-40,000/)).toBeDefined();
});

test('ER-06 in part: an empty address says so, in a window and in a frame', async () => {
  vi.spyOn(window, 'open').mockReturnValue({ close: () => {} } as unknown as Window);
  await show({ 'POST /wps/game/launchGame': { ...inWindow, gameUrl: '' } });
  expect(await screen.findByText('The requested URL is empty')).toBeDefined();
  await show({ 'POST /wps/game/launchGame': { ...launched, gameUrl: '' } });
  expect(await screen.findByText('The requested URL is empty')).toBeDefined();
  expect(frame()).toBeNull();
});
