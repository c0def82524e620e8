import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { chooseLanguage } from '../../i18n/runtime.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { game, homeAnswers, status, switches } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { toast, useToastStore } from '../../ui/toastStore.ts';
import HomeScreen from './HomeScreen.tsx';

const hotGames = 'GET /wps/relay/GCSGAME_hotGamesV2';
const vendors = 'GET /wps/relay/GCSGAME_newGameVendor';

beforeEach(() => {
  clearSession();
  toast.hide();
  history.replaceState(null, '', '/m/home');
});

const block = () => within(screen.getByRole('region', { name: /^Hot/ }));

test('HM-05 at most 21 hot games, and a more button to the game list', async () => {
  const list = Array.from({ length: 30 }, (_, i) => game(i + 1));
  const asked = answerWith({ ...homeAnswers, [hotGames]: { list } });
  renderScreen(<HomeScreen />);
  await screen.findByText('Game 1');
  await expect.poll(() => block().getAllByRole('article')).toHaveLength(21);
  expect(block().getByRole('link', { name: 'More' }).getAttribute('href')).toBe(
    '/m/gameList?type=hot',
  );
  const call = asked.find(({ url }) => url.includes('hotGamesV2'));
  expect(new URL(call!.url).search).toBe(
    '?merchantCode=fairground&isPlatform=2&language=VI&platform=html5',
  );
});

test('a category shows its own among the hot games, and the address keeps it', async () => {
  const list = [game(1), game(2, { nodeName: 'Shark', gameCategory: 'FISH' })];
  answerWith({ ...homeAnswers, [hotGames]: { list } });
  renderScreen(<HomeScreen />);
  await userEvent.click(await screen.findByRole('link', { name: 'Fishing' }));
  expect(location.search).toBe('?category=FISH');
  expect(block().queryByText('Game 1')).toBeNull();
  expect(block().getByText('Shark')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Fishing' }).getAttribute('aria-current')).toBe('true');
  await userEvent.click(screen.getByRole('link', { name: 'Hot' }));
  expect(location.search).toBe('');
  expect(block().getByText('Game 1')).toBeDefined();
});

test('EN-10 home part: the status says which category comes first; HOT is one tap away', async () => {
  const list = [game(1), game(2, { nodeName: 'Shark', gameCategory: 'FISH' })];
  answerWith({
    ...homeAnswers,
    [hotGames]: { list },
    'GET /wps/system/status': { ...status, homeGameCategory: 'FISH' },
  });
  renderScreen(<HomeScreen />);
  expect(await screen.findByRole('heading', { name: 'Hot in Fishing' })).toBeDefined();
  await expect.poll(() => block().queryByText('Game 1')).toBeNull();
  expect(screen.getByRole('link', { name: 'Fishing' }).getAttribute('href')).toBe('/m/home');
  await userEvent.click(screen.getByRole('link', { name: 'Hot' }));
  expect(location.search).toBe('?category=HOT');
  expect(block().getByText('Game 1')).toBeDefined();
});

test.each(['', 'FAV', 'NONE'])('EN-10 home part: %j as first category gives HOT', async (code) => {
  answerWith({
    ...homeAnswers,
    'GET /wps/system/status': { ...status, homeGameCategory: code },
  });
  renderScreen(<HomeScreen />);
  await screen.findByText('Game 1');
  expect(screen.getByRole('heading', { name: 'Hot games' })).toBeDefined();
});

test('without any games it says so', async () => {
  answerWith({ ...homeAnswers, [hotGames]: { list: [] } });
  renderScreen(<HomeScreen />);
  expect(await screen.findByText('No games here yet')).toBeDefined();
});

test('ER-02 home part: a failed list is told, and a tap really loads it', async () => {
  let calls = 0;
  answerWith({
    ...homeAnswers,
    [hotGames]: () => {
      calls += 1;
      return calls === 1 ? new Failing(503, 'system.unavailable') : { list: [game(1)] };
    },
  });
  renderScreen(<HomeScreen />);
  await userEvent.click(await screen.findByText('Load failed, tap to retry'));
  expect(await screen.findByText('Game 1')).toBeDefined();
});

test('an error of the server is not blamed on the network', async () => {
  answerWith({ ...homeAnswers, [hotGames]: new Failing(503, 'system.unavailable') });
  renderScreen(<HomeScreen />);
  const failure = await block().findByRole('alert');
  expect(failure.querySelector('use')?.getAttribute('href')).toMatch(/#warning-circle-fill$/);
});

test('games stay on the screen when those of another language cannot be had', async () => {
  await chooseLanguage('vi');
  const answers: Record<string, unknown> = { ...homeAnswers };
  const asked = answerWith(answers);
  renderScreen(<HomeScreen />);
  await screen.findByText('Game 1');
  delete answers[hotGames];
  await act(() => chooseLanguage('pt'));
  await expect.poll(() => asked.filter(({ url }) => url.includes('language=PT'))).toHaveLength(1);
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(screen.getByText('Game 1')).toBeDefined();
});

test('names that come in another language than the screen speaks say so', async () => {
  await chooseLanguage('ur');
  answerWith(homeAnswers);
  renderScreen(<HomeScreen />);
  expect((await screen.findByText('Game 1')).closest('[lang]')?.getAttribute('lang')).toBe('en');
  await chooseLanguage('vi');
});

test('RO-01 launch part: a visitor who taps a game comes to the login, and back', async () => {
  answerWith(homeAnswers);
  renderScreen(<HomeScreen />);
  await userEvent.click(await screen.findByText('Game 1'));
  expect(location.pathname).toBe('/m/login');
  expect(new URLSearchParams(location.search).get('return')).toBe(
    '/m/launchGame?vendor=JL&gameCategory=RNG&gameId=rng-1&nodeId=1001',
  );
});

test('a member who taps a game comes to its launcher', async () => {
  startSession({
    token: 't',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
  answerWith(homeAnswers);
  renderScreen(<HomeScreen />);
  await userEvent.click(await screen.findByText('Game 1'));
  expect(location.pathname).toBe('/m/launchGame');
});

test('HM-01 the wait message stays until the vendor call ends', async () => {
  let answer!: (value: unknown) => void;
  answerWith({
    ...homeAnswers,
    [vendors]: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  renderScreen(<HomeScreen />);
  await expect.poll(() => useToastStore.getState().current?.kind).toBe('loading');
  answer([]);
  await expect.poll(() => useToastStore.getState().current).toBeNull();
});

test.each([true, false])('cash back stands in the quick menu by its flag: %s', async (on) => {
  answerWith({
    ...homeAnswers,
    'GET /wps/system/whitelabel': { ...switches, flags: { MANPLAYREB3: on } },
  });
  renderScreen(<HomeScreen />);
  await screen.findByText('Game 1');
  const menu = within(screen.getByRole('navigation', { name: 'Shortcuts' }));
  await menu.findByRole('link', { name: 'Withdraw' });
  expect(menu.queryAllByRole('link', { name: 'Cash back' })).toHaveLength(on ? 1 : 0);
});

test('without announcements the bar says so, and leads to them all the same', async () => {
  answerWith(homeAnswers);
  renderScreen(<HomeScreen />);
  await userEvent.click(await screen.findByText('No announcements'));
  expect(location.pathname).toBe('/m/notice');
});

test('the shortcuts keep their places until it is known which there are', async () => {
  let answer!: (value: unknown) => void;
  answerWith({
    ...homeAnswers,
    'GET /wps/system/whitelabel': () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  renderScreen(<HomeScreen />);
  await screen.findByText('Game 1');
  const menu = within(screen.getByRole('navigation', { name: 'Shortcuts' }));
  expect(menu.queryAllByRole('link')).toHaveLength(0);
  answer(switches);
  expect(await menu.findByRole('link', { name: 'Hot games' })).toBeDefined();
});
