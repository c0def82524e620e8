import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { applyBalance } from '../../api/wallet.ts';
import { sentTo } from '../../lib/testing/answers.ts';
import { frame } from '../../lib/testing/game.ts';
import { logInMember, launched, noLimits, showGame, playReply } from './testing.tsx';

beforeEach(logInMember);

afterEach(() => {
  vi.restoreAllMocks();
});

const windowLaunch = {
  ...launched,
  mode: 'window',
  gameUrl: 'https://games.example/play',
  origin: 'https://games.example',
};

test('GL-08 a blocked popup shows a message, and the next tap retries', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  const { requests } = await showGame({ 'POST /wps/game/launchGame': windowLaunch });
  expect(await screen.findByText('Popup blocked, please allow popups and try again')).toBeVisible();
  const replace = vi.fn<(address: string) => void>();
  open.mockReturnValue({ location: { replace }, close: () => {} } as unknown as Window);
  await userEvent.click(screen.getByRole('button', { name: 'Open the game' }));
  await expect.poll(() => replace.mock.calls).toEqual([['https://games.example/play']]);
  expect(sentTo(requests, 'POST /wps/game/launchGame')).toHaveLength(1);
  expect(await screen.findByText('The game is open in another window')).toBeVisible();
});

async function openWindow(answers: Parameters<typeof showGame>[0] = {}) {
  const close = vi.fn<() => void>();
  const game = { location: { replace: () => {} }, close } as unknown as Window;
  vi.spyOn(window, 'open').mockReturnValue(game);
  const shown = await showGame({ 'POST /wps/game/launchGame': windowLaunch, ...answers });
  await screen.findByText('The game is open in another window');
  return { ...shown, close };
}

test('PP-04 in a separate window: the check opens here, and stopping closes the window and the session', async () => {
  const dueAt = Date.now() - 1;
  const { requests, close } = await openWindow({
    'GET /wps/game/play': () => playReply({ realityCheck: { minutes: 30, dueAt } }),
  });
  const check = await screen.findByRole('alertdialog');
  await userEvent.click(within(check).getByRole('button', { name: 'Stop playing' }));
  await expect.poll(() => location.pathname).toBe('/m/game');
  await expect.poll(() => sentTo(requests, 'DELETE /wps/game/play')).toHaveLength(1);
  expect(close).toHaveBeenCalledTimes(1);
});

test('PP-07 in a separate window: a break taken elsewhere closes the window', async () => {
  let activeBreak: unknown = null;
  const { cache, close } = await openWindow({
    'GET /wps/member/limits': () => ({ ...noLimits, break: activeBreak }),
  });
  activeBreak = {
    kind: 'timeOut',
    period: '24h',
    since: Date.now(),
    until: Date.now() + 86_400_000,
  };
  await act(() => cache.invalidateQueries({ queryKey: ['own'] }));
  expect(await screen.findByText('Your break has begun')).toBeVisible();
  expect(close).toHaveBeenCalledTimes(1);
});

test('PP-01 in a separate window: the balance shows in the account’s currency and follows the event stream', async () => {
  const { cache } = await openWindow();
  const balance = await screen.findByText(/^Balance/);
  await waitFor(() => expect(balance.textContent).toMatch(/12,480,500\s₫/));
  const news = { kind: 'cash', currency: 'VND', balance: 12_470_500, version: 2 };
  act(() => applyBalance(cache, JSON.stringify(news)));
  await waitFor(() => expect(balance.textContent).toMatch(/12,470,500\s₫/));
});

test('PP-03 opening the game again closes the first window and shows the new session', async () => {
  let launches = 0;
  const { requests, close } = await openWindow({
    'POST /wps/game/launchGame': () => {
      launches += 1;
      return { ...windowLaunch, playId: `play-${launches}` };
    },
    'GET /wps/game/play': (request: Request) =>
      new URL(request.url).searchParams.get('playId') === 'play-2'
        ? playReply({ playId: 'play-2', net: -40_000 })
        : playReply(),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Open it again' }));
  await expect.poll(() => sentTo(requests, 'DELETE /wps/game/play')).toHaveLength(1);
  expect(sentTo(requests, 'DELETE /wps/game/play')[0]?.url).toContain('play-1');
  expect(close).toHaveBeenCalledTimes(1);
  expect(await screen.findByText(/-40,000/)).toBeVisible();
});

test('ER-06 in part: an empty URL says so, in a window and in a frame', async () => {
  vi.spyOn(window, 'open').mockReturnValue({ close: () => {} } as unknown as Window);
  await showGame({ 'POST /wps/game/launchGame': { ...windowLaunch, gameUrl: '' } });
  expect(await screen.findByText('The requested URL is empty')).toBeVisible();
  await showGame({ 'POST /wps/game/launchGame': { ...launched, gameUrl: '' } });
  expect(await screen.findByText('The requested URL is empty')).toBeVisible();
  expect(frame()).toBeNull();
});
