import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { applyBalance } from '../../api/wallet.ts';
import { onLayer } from '../../lib/layers.ts';
import { Failing, sentTo } from '../../lib/testing/answers.ts';
import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { flushEventLoop } from '../../lib/testing/time.ts';
import {
  logInMember,
  showReadyGame,
  launched,
  noLimits,
  vendorGame,
  showGame,
  playReply,
} from './testing.tsx';

beforeEach(logInMember);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('GL-03 the launch sends category, vendor, game, node and supportPlay, once', async () => {
  const { requests } = await showReadyGame();
  const launches = sentTo(requests, 'POST /wps/game/launchGame');
  expect(launches).toHaveLength(1);
  expect(await launches[0]!.json()).toEqual({
    gameCategory: 'RNG',
    vendor: 'JL',
    gameId: 'rng-1',
    nodeId: '1001',
    supportPlay: true,
  });
});

test('SE-10 the frame is sandboxed and sends no referrer', async () => {
  await showReadyGame();
  expect(frame()!.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin');
  expect(frame()!.getAttribute('referrerpolicy')).toBe('no-referrer');
  expect(frame()!.getAttribute('allow')).toBe('');
  expect(frame()!.getAttribute('src')).toBe(
    `${location.origin}/m/house/?t=ticket#theme=dark&lang=vi`,
  );
});

test('SE-10 a vendor’s game is framed on its own origin, and only messages from there count', async () => {
  await showGame({
    'POST /wps/game/launchGame': {
      ...launched,
      gameUrl: 'https://games.example/play?t=1',
      origin: 'https://games.example',
    },
  });
  await expect.poll(frame).not.toBeNull();
  expect(frame()!.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-forms');
  gameSays({ type: 'close' });
  gameSays({ type: 'close' }, { origin: 'https://games.example', source: window });
  expect(location.pathname).toBe('/m/launchGame');
  gameSays({ type: 'close' }, { origin: 'https://games.example' });
  await expect.poll(() => location.pathname).toBe('/m/game');
});

test('SE-10 the app does not show what a vendor’s game says about itself', async () => {
  await showGame({
    'POST /wps/game/launchGame': {
      ...launched,
      gameUrl: 'https://games.example/play?t=1',
      origin: 'https://games.example',
    },
    'GET /wps/game/play': () => playReply({ rtp: null }),
  });
  await expect.poll(frame).not.toBeNull();
  const claim = { ...readyGame, title: 'Official', rtp: '99.99', provable: true };
  gameSays(claim, { origin: 'https://games.example' });
  expect(await screen.findByRole('heading', { name: 'Golden Dragon' })).toBeVisible();
  expect(screen.queryByText('Official')).toBeNull();
  expect(screen.queryByText(/99[.,]99/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Fair play' })).toBeNull();
});

test('PP-03 the bar above the game shows elapsed time, net result and RTP', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await showReadyGame();
  const strip = await screen.findByLabelText('This session');
  await waitFor(() => expect(strip.textContent).toContain('Time since play began01:05'));
  expect(strip.textContent).toContain('-20,000');
  expect(strip.textContent).toContain('96.2%');
});

test.each([
  ['Golden Dragon', 'false'],
  ['Baccarat without commission', 'true'],
])('GL-07 the title %s has two lines: %s', async (gameName, long) => {
  await showGame({ 'GET /wps/game/play': () => playReply({ gameName }) });
  const title = await screen.findByRole('heading', { name: gameName });
  expect(title.dataset['long']).toBe(long);
});

test('PP-03 a session that began in another game continues: time and net result are the server’s totals', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const startedAt = Date.now() - 600_000;
  const { requests } = await showReadyGame({
    'GET /wps/game/play': () =>
      playReply({ startedAt, staked: 80_000, returned: 5000, net: -75_000 }),
  });
  const strip = await screen.findByLabelText('This session');
  await waitFor(() => expect(strip.textContent).toContain('-75,000'));
  expect(strip.textContent).toContain('10:00');
  expect(sessionStorage.getItem('sittings')).toBeNull();
  const plays = sentTo(requests, 'GET /wps/game/play').map(({ url }) => new URL(url).search);
  expect(new Set(plays)).toEqual(new Set(['?playId=play-1']));
});

test('PP-03 the net result changes after the game has shown the round', async () => {
  let net = -20_000;
  await showReadyGame({ 'GET /wps/game/play': () => playReply({ net }) });
  const strip = await screen.findByLabelText('This session');
  await waitFor(() => expect(strip.textContent).toContain('-20,000'));
  gameSays({ type: 'busy', busy: true });
  net = 10_000;
  gameSays({ type: 'round', roundId: 'r1', stake: 10_000, win: 40_000 });
  await act(() => flushEventLoop());
  expect(strip.textContent).toContain('-20,000');
  gameSays({ type: 'busy', busy: false });
  await waitFor(() => expect(strip.textContent).toContain('+10,000'));
});

test('PP-01 the balance follows the event stream, stakes at once and wins after the round', async () => {
  const { cache } = await showReadyGame();
  const bar = screen.getByRole('banner');
  await waitFor(() => expect(bar.textContent).toContain('12,480,500'));
  const balance = (amount: number, version: number) =>
    act(() =>
      applyBalance(
        cache,
        JSON.stringify({ kind: 'cash', currency: 'VND', balance: amount, version }),
      ),
    );
  gameSays({ type: 'busy', busy: true });
  balance(12_470_500, 2);
  await waitFor(() => expect(bar.textContent).toContain('12,470,500'));
  balance(12_500_500, 3);
  await act(() => flushEventLoop());
  expect(bar.textContent).toContain('12,470,500');
  gameSays({ type: 'busy', busy: false });
  await waitFor(() => expect(bar.textContent).toContain('12,500,500'));
});

test('the game receives theme, language, sound and haptics, and changes from its menu', async () => {
  const { postMessage } = await showReadyGame();
  expect(postMessage).toHaveBeenCalledWith(
    expect.objectContaining({ fairground: 1, type: 'settings', sound: true, haptics: true }),
    location.origin,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Game menu' }));
  const menu = await screen.findByRole('dialog');
  await userEvent.click(within(menu).getByRole('switch', { name: 'Sound' }));
  expect(postMessage).toHaveBeenLastCalledWith(
    expect.objectContaining({ type: 'settings', sound: false }),
    location.origin,
  );
  gameSays({ type: 'preference', sound: true });
  expect(within(menu).getByRole<HTMLInputElement>('switch', { name: 'Sound' }).checked).toBe(true);
});

test('PP-01 PP-03 a vendor’s game delays balance and result by at most 15 s', async () => {
  let net = -20_000;
  const { cache } = await showGame({
    'POST /wps/game/launchGame': vendorGame,
    'GET /wps/game/play': () => playReply({ net }),
  });
  await expect.poll(frame).not.toBeNull();
  vi.spyOn(frame()!.contentWindow!, 'postMessage').mockImplementation(() => {});
  const vendorSays = (message: Record<string, unknown>) =>
    gameSays(message, { origin: vendorGame.origin });
  vendorSays(readyGame);
  const bar = screen.getByRole('banner');
  await waitFor(() => expect(bar.textContent).toContain('12,480,500'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vendorSays({ type: 'busy', busy: true });
  const won = { kind: 'cash', currency: 'VND', balance: 12_500_500, version: 2 };
  act(() => applyBalance(cache, JSON.stringify(won)));
  net = 10_000;
  vendorSays({ type: 'round', roundId: 'r1', stake: 10_000, win: 40_000 });
  act(() => void vi.advanceTimersByTime(14_000));
  expect(bar.textContent).toContain('12,480,500');
  act(() => void vi.advanceTimersByTime(1_001));
  await expect.poll(() => bar.textContent).toContain('12,500,500');
  await expect.poll(() => screen.getByLabelText('This session').textContent).toContain('+10,000');
});

/** Launches a vendor's game that the server has not seen open, with fake timers. */
async function startVendorGame() {
  let opened = false;
  const shown = await showGame({
    'POST /wps/game/launchGame': vendorGame,
    'GET /wps/game/play': () => playReply({ opened }),
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  await expect.poll(frame).not.toBeNull();
  const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  return { ...shown, advance, open: () => (opened = true) };
}

const notStarted = () => screen.queryByText('The game did not start');

test('GL-03 a slow vendor’s game stays covered until the server reports it open, even after the timeout', async () => {
  const { requests, advance, open } = await startVendorGame();
  // The load event also fires for the browser's error page.
  act(() => void frame()!.dispatchEvent(new Event('load')));
  expect(screen.getByText('Starting the game…')).toBeVisible();
  await advance(29_000);
  expect(notStarted()).toBeNull();
  await advance(1_001);
  expect(notStarted()).not.toBeNull();
  expect(screen.queryByText('Starting the game…')).toBeNull();
  open();
  await advance(2_000);
  expect(notStarted()).toBeNull();
  expect(screen.queryByText('Starting the game…')).toBeNull();
  expect(sentTo(requests, 'POST /wps/game/launchGame')).toHaveLength(1);
  // Once open, the session is polled at the usual interval.
  const before = sentTo(requests, 'GET /wps/game/play').length;
  await advance(20_000);
  expect(sentTo(requests, 'GET /wps/game/play')).toHaveLength(before);
});

test('GL-03 a vendor’s game that never opens can be launched again', async () => {
  const { requests, advance } = await startVendorGame();
  await advance(30_001);
  vi.useRealTimers();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await expect.poll(() => sentTo(requests, 'POST /wps/game/launchGame').length).toBe(2);
});

test('GL-03 a vendor’s game that never opens can be left', async () => {
  const { advance } = await startVendorGame();
  await advance(30_001);
  vi.useRealTimers();
  const cover = notStarted()!.parentElement!;
  await userEvent.click(within(cover).getByRole('button', { name: 'Leave the game' }));
  await expect.poll(() => location.pathname).toBe('/m/game');
});

test('PP-07 in part: a break taken elsewhere ends play here and says so', async () => {
  let activeBreak: unknown = null;
  const { cache } = await showReadyGame({
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
  expect(frame()).toBeNull();
});

test('refetching the member’s data does not launch the game again', async () => {
  const { requests, cache } = await showReadyGame();
  await act(() => cache.invalidateQueries({ queryKey: ['own'] }));
  expect(sentTo(requests, 'POST /wps/game/launchGame')).toHaveLength(1);
});

test('back leaves the game without a question and closes its session', async () => {
  const { requests, unmount } = await showReadyGame();
  await expect.poll(() => onLayer()).toBe(true);
  history.back();
  await expect.poll(() => location.pathname).toBe('/m/game');
  unmount();
  expect(sentTo(requests, 'DELETE /wps/game/play')).toHaveLength(1);
});

test('back waits for a running round', async () => {
  await showReadyGame();
  gameSays({ type: 'busy', busy: true });
  await expect.poll(() => onLayer()).toBe(true);
  history.back();
  expect(
    await screen.findByText(/^Leaving when this round has ended\. Go back again to leave now/),
  ).toBeVisible();
  expect(location.pathname).toBe('/m/launchGame');
  await expect.poll(() => onLayer()).toBe(true);
  gameSays({ type: 'busy', busy: false });
  await expect.poll(() => location.pathname).toBe('/m/game');
});

test('the game can open the proof of a round', async () => {
  await showReadyGame();
  await screen.findByText(/Golden Dragon/);
  gameSays({ type: 'proof', roundId: 'r7' });
  await expect
    .poll(() => location.pathname + location.search)
    .toMatch(/^\/m\/fairness\?(vendor=JL&)?roundId=r7$/);
});

test('a game whose session has expired can be started again', async () => {
  const { requests } = await showReadyGame();
  gameSays({ type: 'expired' });
  await userEvent.click(await screen.findByRole('button', { name: 'Start the game again' }));
  await expect.poll(() => sentTo(requests, 'POST /wps/game/launchGame').length).toBe(2);
});

test('losing the connection shows a message, pauses the game and recovers by itself', async () => {
  let down = false;
  const { postMessage, cache } = await showReadyGame({
    'GET /wps/game/play': () => {
      if (down) throw new TypeError('Failed to fetch');
      return playReply();
    },
  });
  await screen.findByLabelText('This session');
  down = true;
  await act(() => cache.refetchQueries({ queryKey: ['own', 'play'] }));
  expect(await screen.findByText(/^Reconnecting… try \d/)).toBeVisible();
  expect(postMessage).toHaveBeenLastCalledWith(
    { fairground: 1, type: 'pause', paused: true },
    location.origin,
  );
  expect(frame()).not.toBeNull();
  down = false;
  await expect.poll(() => screen.queryByText(/^Reconnecting/)).toBeNull();
});

test.each([
  ['catalogue.unknown_game', 404, 'This game is not here any more'],
  ['vendor.game_unavailable', 409, 'This game is switched off'],
  ['vendor.maintenance', 409, 'Under maintenance'],
  ['vendor.not_open', 409, 'Not open yet'],
  ['vendor.no_trial', 409, 'Not for play money'],
  ['limits.excluded', 403, 'You are on a break'],
])('GL-03 refusals: %s is explained, with a next step', async (code, status, title) => {
  await showGame({ 'POST /wps/game/launchGame': new Failing(status, code) });
  expect(await screen.findByText(title)).toBeVisible();
  expect(screen.getAllByRole('link').length).toBeGreaterThan(0);
  expect(screen.getByRole('button', { name: 'Back' })).toBeVisible();
});

test('a launch that fails by the network can be retried', async () => {
  let down = true;
  await showGame({
    'POST /wps/game/launchGame': () => {
      if (down) throw new TypeError('Failed to fetch');
      return launched;
    },
  });
  const again = await screen.findByRole('button', { name: 'Try again' });
  down = false;
  await userEvent.click(again);
  await expect.poll(frame).not.toBeNull();
});

test('a URL that names no game says so', async () => {
  await showGame({}, '/m/launchGame');
  expect(await screen.findByText('This game is not here any more')).toBeVisible();
});

test('GL-02 GL-05 in part: code lobby launches the lottery, and closing it goes to the game centre', async () => {
  const gameUrl = '/m/lotto-h5/2/ent/games/lobby?token=t1&merchant=fairground';
  const { requests } = await showGame(
    { 'POST /wps/game/launchGame': { ...launched, gameUrl } },
    '/m/launchGame?code=lobby',
  );
  const launches = () => sentTo(requests, 'POST /wps/game/launchGame');
  await waitFor(() => expect(launches()).toHaveLength(1));
  expect(await launches()[0]!.clone().json()).toMatchObject({ vendor: 'LOTT', gameId: 'lobby' });
  await waitFor(() => expect(frame()?.src).toContain('/m/lotto-h5/2/ent/games/lobby?token=t1'));
  await userEvent.click(screen.getByRole('button', { name: 'Leave the game' }));
  await waitFor(() => expect(location.pathname).toBe('/m/game'));
});
