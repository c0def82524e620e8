import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { applyBalance } from '../../api/wallet.ts';
import { onLayer } from '../../lib/layers.ts';
import { Failing, sentTo } from '../../lib/testing/answers.ts';
import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { turns } from '../../lib/testing/time.ts';
import { comeIn, launched, noLimits, vendorGame, show, sitting } from './testing.tsx';

async function framed(answers: Record<string, unknown> = {}) {
  const shown = await show(answers);
  await expect.poll(frame).not.toBeNull();
  const told = vi.spyOn(frame()!.contentWindow!, 'postMessage').mockImplementation(() => {});
  gameSays(readyGame);
  return { ...shown, told };
}

beforeEach(comeIn);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('GL-03 the game is started with category, vendor, game, node and supportPlay, once', async () => {
  const { asked } = await framed();
  const launches = sentTo(asked, 'POST /wps/game/launchGame');
  expect(launches).toHaveLength(1);
  expect(await launches[0]!.json()).toEqual({
    gameCategory: 'RNG',
    vendor: 'JL',
    gameId: 'rng-1',
    nodeId: '1001',
    supportPlay: true,
  });
});

test('SE-10 the frame is sandboxed and tells nobody where it was opened', async () => {
  await framed();
  expect(frame()!.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin');
  expect(frame()!.getAttribute('referrerpolicy')).toBe('no-referrer');
  expect(frame()!.getAttribute('allow')).toBe('');
  expect(frame()!.getAttribute('src')).toBe(
    `${location.origin}/m/house/?t=ticket#theme=dark&lang=vi`,
  );
});

test('SE-10 a game from outside is framed on its own origin, and heard from there alone', async () => {
  await show({
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

test('SE-10 what a game from outside says of itself is not the app’s word', async () => {
  await show({
    'POST /wps/game/launchGame': {
      ...launched,
      gameUrl: 'https://games.example/play?t=1',
      origin: 'https://games.example',
    },
    'GET /wps/game/play': () => sitting({ rtp: null }),
  });
  await expect.poll(frame).not.toBeNull();
  const boast = { ...readyGame, title: 'Official', rtp: '99.99', provable: true };
  gameSays(boast, { origin: 'https://games.example' });
  expect(await screen.findByRole('heading', { name: 'Golden Dragon' })).toBeDefined();
  expect(screen.queryByText('Official')).toBeNull();
  expect(screen.queryByText(/99[.,]99/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Fair play' })).toBeNull();
});

test('PP-03 elapsed time and net position stand above the game, with what it returns', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await framed();
  const strip = await screen.findByLabelText('This session');
  await waitFor(() => expect(strip.textContent).toContain('Time since play began01:05'));
  expect(strip.textContent).toContain('-20,000');
  expect(strip.textContent).toContain('96.2%');
});

test.each([
  ['Golden Dragon', 'false'],
  ['Baccarat without commission', 'true'],
])('GL-07 the title %s has two lines: %s', async (gameName, long) => {
  await show({ 'GET /wps/game/play': () => sitting({ gameName }) });
  const title = await screen.findByRole('heading', { name: gameName });
  expect(title.dataset['long']).toBe(long);
});

test('PP-03 a sitting that began in another game goes on here: time and net are the server’s, of all of it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const startedAt = Date.now() - 600_000;
  const { asked } = await framed({
    'GET /wps/game/play': () =>
      sitting({ startedAt, staked: 80_000, returned: 5000, net: -75_000 }),
  });
  const strip = await screen.findByLabelText('This session');
  await waitFor(() => expect(strip.textContent).toContain('-75,000'));
  expect(strip.textContent).toContain('10:00');
  expect(sessionStorage.getItem('sittings')).toBeNull();
  const plays = sentTo(asked, 'GET /wps/game/play').map(({ url }) => new URL(url).search);
  expect(new Set(plays)).toEqual(new Set(['?playId=play-1']));
});

test('PP-03 the net position follows once the game has shown the result', async () => {
  let net = -20_000;
  await framed({ 'GET /wps/game/play': () => sitting({ net }) });
  const strip = await screen.findByLabelText('This session');
  await waitFor(() => expect(strip.textContent).toContain('-20,000'));
  gameSays({ type: 'busy', busy: true });
  net = 10_000;
  gameSays({ type: 'round', roundId: 'r1', stake: 10_000, win: 40_000 });
  await act(() => turns());
  expect(strip.textContent).toContain('-20,000');
  gameSays({ type: 'busy', busy: false });
  await waitFor(() => expect(strip.textContent).toContain('+10,000'));
});

test('PP-01 the balance follows the stream, a stake at once and a win when it has been shown', async () => {
  const { cache } = await framed();
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
  await act(() => turns());
  expect(bar.textContent).toContain('12,470,500');
  gameSays({ type: 'busy', busy: false });
  await waitFor(() => expect(bar.textContent).toContain('12,500,500'));
});

test('the game is told theme, language, sound and haptics, and what is changed in its menu', async () => {
  const { told } = await framed();
  expect(told).toHaveBeenCalledWith(
    expect.objectContaining({ fairground: 1, type: 'settings', sound: true, haptics: true }),
    location.origin,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Game menu' }));
  const menu = await screen.findByRole('dialog');
  await userEvent.click(within(menu).getByRole('switch', { name: 'Sound' }));
  expect(told).toHaveBeenLastCalledWith(
    expect.objectContaining({ type: 'settings', sound: false }),
    location.origin,
  );
  gameSays({ type: 'preference', sound: true });
  expect(within(menu).getByRole<HTMLInputElement>('switch', { name: 'Sound' }).checked).toBe(true);
});

test('PP-04 a check that is due lets the round end, then stops play until it is answered', async () => {
  let dueAt = Date.now() + 1_800_000;
  const { asked, told, cache } = await framed({
    'GET /wps/game/play': () => sitting({ realityCheck: { minutes: 30, dueAt } }),
    'POST /wps/member/limits/realityCheck/acknowledge': () => {
      dueAt = Date.now() + 1_800_000;
      return {};
    },
  });
  gameSays({ type: 'busy', busy: true });
  // It becomes due while a round runs.
  dueAt = Date.now() - 1000;
  await act(() => cache.invalidateQueries({ queryKey: ['own'] }));
  await waitFor(() =>
    expect(told).toHaveBeenCalledWith(
      { fairground: 1, type: 'pause', paused: true },
      location.origin,
    ),
  );
  expect(screen.queryByRole('alertdialog')).toBeNull();
  gameSays({ type: 'busy', busy: false });
  const check = await screen.findByRole('alertdialog');
  expect(within(check).getByText(/You began to play 1 minute ago/)).toBeDefined();
  expect(check.textContent).toContain('-20,000');
  const [first, second] = within(check)
    .getAllByRole('button')
    .map((button) => button.textContent);
  expect([first, second]).toEqual(['Stop playing', 'Play on']);

  await userEvent.keyboard('{Escape}');
  await expect.poll(() => onLayer()).toBe(true);
  history.back();
  await expect.poll(() => onLayer()).toBe(true);
  expect(screen.getByRole('alertdialog')).toBeDefined();
  expect(location.pathname).toBe('/m/launchGame');

  await userEvent.click(within(check).getByRole('button', { name: 'Play on' }));
  await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull();
  const [sent] = sentTo(asked, 'POST /wps/member/limits/realityCheck/acknowledge');
  expect(await sent!.json()).toEqual({ playId: 'play-1' });
  expect(told).toHaveBeenLastCalledWith(
    { fairground: 1, type: 'pause', paused: false },
    location.origin,
  );
});

test('PP-04 a check tells of all that was played without a rest, also in other games', async () => {
  const played = { for: 20 * 60_000, staked: 500_000, returned: 380_000, net: -120_000 };
  await framed({
    'GET /wps/game/play': () => sitting({ realityCheck: { minutes: 15, dueAt: Date.now() - 1 } }),
    'GET /wps/member/limits': {
      ...noLimits,
      realityCheck: { minutes: 15, choices: [15, 30, 60], played },
    },
  });
  const check = await screen.findByRole('alertdialog');
  expect(await within(check).findByText(/You began to play 20 minutes ago/)).toBeDefined();
  expect(check.textContent).toContain('20:00');
  expect(check.textContent).toContain('-120,000');
  expect(check.textContent).toContain('500,000');
});

test('PP-04 to stop there leads back, and the sitting is closed', async () => {
  await framed({
    'GET /wps/game/play': () => sitting({ realityCheck: { minutes: 30, dueAt: Date.now() - 1 } }),
  });
  const check = await screen.findByRole('alertdialog');
  await userEvent.click(within(check).getByRole('button', { name: 'Stop playing' }));
  await expect.poll(() => location.pathname).toBe('/m/game');
});

test('PP-04 a game is not believed for ever that a round runs', async () => {
  let dueAt = Date.now() + 1_800_000;
  const { told, cache } = await framed({
    'GET /wps/game/play': () => sitting({ realityCheck: { minutes: 30, dueAt } }),
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  gameSays({ type: 'busy', busy: true });
  // It becomes due while a round runs, as the game says.
  dueAt = Date.now() - 1000;
  void cache.invalidateQueries({ queryKey: ['own'] });
  await expect
    .poll(() => {
      act(() => void vi.advanceTimersByTime(10));
      return told.mock.calls.at(-1)?.[0];
    })
    .toEqual({ fairground: 1, type: 'pause', paused: true });
  act(() => void vi.advanceTimersByTime(50_000));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  // Saying it again does not make it longer.
  gameSays({ type: 'busy', busy: true });
  act(() => void vi.advanceTimersByTime(10_001));
  await expect.poll(() => screen.queryByRole('alertdialog')).not.toBeNull();
});

test('PP-04 a check that has opened is not closed by a game that says busy again', async () => {
  await framed({
    'GET /wps/game/play': () => sitting({ realityCheck: { minutes: 30, dueAt: Date.now() - 1 } }),
  });
  const check = await screen.findByRole('alertdialog');
  gameSays({ type: 'busy', busy: true });
  gameSays({ type: 'busy', busy: false });
  gameSays({ type: 'busy', busy: true });
  expect(screen.getByRole('alertdialog')).toBe(check);
  expect(frame()!.hasAttribute('inert')).toBe(true);
});

test('PP-01 PP-03 a vendor’s game holds balance and result back for 15 s at most', async () => {
  let net = -20_000;
  const { cache } = await show({
    'POST /wps/game/launchGame': vendorGame,
    'GET /wps/game/play': () => sitting({ net }),
  });
  await expect.poll(frame).not.toBeNull();
  vi.spyOn(frame()!.contentWindow!, 'postMessage').mockImplementation(() => {});
  const says = (message: Record<string, unknown>) =>
    gameSays(message, { origin: vendorGame.origin });
  says(readyGame);
  const bar = screen.getByRole('banner');
  await waitFor(() => expect(bar.textContent).toContain('12,480,500'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  says({ type: 'busy', busy: true });
  const won = { kind: 'cash', currency: 'VND', balance: 12_500_500, version: 2 };
  act(() => applyBalance(cache, JSON.stringify(won)));
  net = 10_000;
  says({ type: 'round', roundId: 'r1', stake: 10_000, win: 40_000 });
  act(() => void vi.advanceTimersByTime(14_000));
  expect(bar.textContent).toContain('12,480,500');
  act(() => void vi.advanceTimersByTime(1_001));
  await expect.poll(() => bar.textContent).toContain('12,500,500');
  await expect.poll(() => screen.getByLabelText('This session').textContent).toContain('+10,000');
});

/** A vendor's game of which the server has not heard yet, with the time in the test's hands. */
async function awaited() {
  let opened = false;
  const shown = await show({
    'POST /wps/game/launchGame': vendorGame,
    'GET /wps/game/play': () => sitting({ opened }),
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  await expect.poll(frame).not.toBeNull();
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  return { ...shown, pass, open: () => (opened = true) };
}

const notStarted = () => screen.queryByText('The game did not start');

test('GL-03 a vendor that is slow or down: its game is covered until the server says that it began, and may still come', async () => {
  const { asked, pass, open } = await awaited();
  // What a browser shows of a server that is down loads as well.
  act(() => void frame()!.dispatchEvent(new Event('load')));
  expect(screen.getByText('Starting the game…')).toBeDefined();
  await pass(29_000);
  expect(notStarted()).toBeNull();
  await pass(1_001);
  expect(notStarted()).not.toBeNull();
  expect(screen.queryByText('Starting the game…')).toBeNull();
  open();
  await pass(2_000);
  expect(notStarted()).toBeNull();
  expect(screen.queryByText('Starting the game…')).toBeNull();
  expect(sentTo(asked, 'POST /wps/game/launchGame')).toHaveLength(1);
  // From here on it is asked no more often than for any game.
  const before = sentTo(asked, 'GET /wps/game/play').length;
  await pass(20_000);
  expect(sentTo(asked, 'GET /wps/game/play')).toHaveLength(before);
});

test('GL-03 a vendor’s game that never comes is started anew when that is asked for', async () => {
  const { asked, pass } = await awaited();
  await pass(30_001);
  vi.useRealTimers();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await expect.poll(() => sentTo(asked, 'POST /wps/game/launchGame').length).toBe(2);
});

test('GL-03 a vendor’s game that never comes can be left', async () => {
  const { pass } = await awaited();
  await pass(30_001);
  vi.useRealTimers();
  const cover = notStarted()!.parentElement!;
  await userEvent.click(within(cover).getByRole('button', { name: 'Leave the game' }));
  await expect.poll(() => location.pathname).toBe('/m/game');
});

test('PP-07 in part: a break taken elsewhere ends play here, in plain words', async () => {
  let rest: unknown = null;
  const { cache } = await framed({
    'GET /wps/member/limits': () => ({ ...noLimits, break: rest }),
  });
  rest = { kind: 'timeOut', period: '24h', since: Date.now(), until: Date.now() + 86_400_000 };
  await act(() => cache.invalidateQueries({ queryKey: ['own'] }));
  expect(await screen.findByText('Your break has begun')).toBeDefined();
  expect(frame()).toBeNull();
});

test('the asking anew of what is the member’s does not start the game again', async () => {
  const { asked, cache } = await framed();
  await act(() => cache.invalidateQueries({ queryKey: ['own'] }));
  expect(sentTo(asked, 'POST /wps/game/launchGame')).toHaveLength(1);
});

test('a step back closes the game without a question, and its sitting', async () => {
  const { asked, unmount } = await framed();
  await expect.poll(() => onLayer()).toBe(true);
  history.back();
  await expect.poll(() => location.pathname).toBe('/m/game');
  unmount();
  expect(sentTo(asked, 'DELETE /wps/game/play')).toHaveLength(1);
});

test('a step back lets a running round end first', async () => {
  await framed();
  gameSays({ type: 'busy', busy: true });
  await expect.poll(() => onLayer()).toBe(true);
  history.back();
  expect(
    await screen.findByText(/^Leaving when this round has ended\. Go back again to leave now/),
  ).toBeDefined();
  expect(location.pathname).toBe('/m/launchGame');
  await expect.poll(() => onLayer()).toBe(true);
  gameSays({ type: 'busy', busy: false });
  await expect.poll(() => location.pathname).toBe('/m/game');
});

test('the game’s own way out and its proofs are followed', async () => {
  await framed();
  await screen.findByText(/Golden Dragon/);
  gameSays({ type: 'proof', roundId: 'r7' });
  await expect
    .poll(() => location.pathname + location.search)
    .toMatch(/^\/m\/fairness\?(vendor=JL&)?roundId=r7$/);
});

test('a game whose session has ended is offered anew', async () => {
  const { asked } = await framed();
  gameSays({ type: 'expired' });
  await userEvent.click(await screen.findByRole('button', { name: 'Start the game again' }));
  await expect.poll(() => sentTo(asked, 'POST /wps/game/launchGame').length).toBe(2);
});

test('without a line it says so, pauses the game and comes back by itself', async () => {
  let down = false;
  const { told, cache } = await framed({
    'GET /wps/game/play': () => {
      if (down) throw new TypeError('Failed to fetch');
      return sitting();
    },
  });
  await screen.findByLabelText('This session');
  down = true;
  await act(() => cache.refetchQueries({ queryKey: ['own', 'play'] }));
  expect(await screen.findByText(/^Reconnecting… try \d/)).toBeDefined();
  expect(told).toHaveBeenLastCalledWith(
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
])('GL-03 refusals: %s is told in plain words, with a way on', async (code, status, words) => {
  await show({ 'POST /wps/game/launchGame': new Failing(status, code) });
  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.getAllByRole('link').length).toBeGreaterThan(0);
  expect(screen.getByRole('button', { name: 'Back' })).toBeDefined();
});

test('a launch that failed by the network can be tried again', async () => {
  let down = true;
  await show({
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

test('an address that names no game says so', async () => {
  await show({}, '/m/launchGame');
  expect(await screen.findByText('This game is not here any more')).toBeDefined();
});

test('GL-02 in part: the lobby of lotteries is not open yet', async () => {
  const { asked } = await show({}, '/m/launchGame?code=lobby');
  expect(await screen.findByText('Not open yet')).toBeDefined();
  expect(sentTo(asked, 'POST /wps/game/launchGame')).toHaveLength(0);
});
