import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { chooseLanguage } from '../../i18n/runtime.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { announcement, game, homeAnswers, status, switches } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { flushEventLoop } from '../../lib/testing/time.ts';
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

test('HM-05 home shows at most 21 hot games, with a more button to the game list', async () => {
  const list = Array.from({ length: 30 }, (_, i) => game(i + 1));
  const requests = answerWith({ ...homeAnswers, [hotGames]: { list } });
  renderScreen(<HomeScreen />);
  await screen.findByText('Game 1');
  await expect.poll(() => block().getAllByRole('article')).toHaveLength(21);
  expect(block().getByRole('link', { name: 'More' }).getAttribute('href')).toBe(
    '/m/gameList?type=hot',
  );
  const call = requests.find(({ url }) => url.includes('hotGamesV2'));
  expect(new URL(call!.url).search).toBe(
    '?merchantCode=fairground&isPlatform=2&language=VI&platform=html5',
  );
});

test('choosing a category filters the hot games and changes the URL', async () => {
  const list = [game(1), game(2, { nodeName: 'Shark', gameCategory: 'FISH' })];
  answerWith({ ...homeAnswers, [hotGames]: { list } });
  renderScreen(<HomeScreen />);
  await userEvent.click(await screen.findByRole('link', { name: 'Fishing' }));
  expect(location.search).toBe('?category=FISH');
  expect(block().queryByText('Game 1')).toBeNull();
  expect(block().getByText('Shark')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Fishing' }).getAttribute('aria-current')).toBe('true');
  await userEvent.click(screen.getByRole('link', { name: 'Hot' }));
  expect(location.search).toBe('');
  expect(block().getByText('Game 1')).toBeVisible();
});

test('EN-10 home part: the status sets the default category; HOT is one tap away', async () => {
  const list = [game(1), game(2, { nodeName: 'Shark', gameCategory: 'FISH' })];
  answerWith({
    ...homeAnswers,
    [hotGames]: { list },
    'GET /wps/system/status': { ...status, homeGameCategory: 'FISH' },
  });
  renderScreen(<HomeScreen />);
  expect(await screen.findByRole('heading', { name: 'Hot in Fishing' })).toBeVisible();
  await expect.poll(() => block().queryByText('Game 1')).toBeNull();
  expect(screen.getByRole('link', { name: 'Fishing' }).getAttribute('href')).toBe('/m/home');
  await userEvent.click(screen.getByRole('link', { name: 'Hot' }));
  expect(location.search).toBe('?category=HOT');
  expect(block().getByText('Game 1')).toBeVisible();
});

test.each(['', 'FAV', 'NONE'])(
  'EN-10 home part: %j as default category falls back to HOT',
  async (code) => {
    answerWith({
      ...homeAnswers,
      'GET /wps/system/status': { ...status, homeGameCategory: code },
    });
    renderScreen(<HomeScreen />);
    await screen.findByText('Game 1');
    expect(screen.getByRole('heading', { name: 'Hot games' })).toBeVisible();
  },
);

test('pulling down reloads home, on the first visit and after a return', async () => {
  const requests = answerWith(homeAnswers);
  const calls = () => requests.filter(({ url }) => url.includes('hotGamesV2')).length;
  const at = (y: number) => ({ touches: [{ clientX: 100, clientY: y }] });
  const pull = async () => {
    await screen.findByText('Game 1');
    const before = calls();
    fireEvent.touchStart(document.body, at(100));
    for (const y of [140, 180, 240]) fireEvent.touchMove(document.body, at(y));
    fireEvent.touchEnd(document.body, { touches: [] });
    await expect.poll(calls).toBe(before + 1);
  };
  const { unmount } = renderScreen(<HomeScreen />);
  await pull();
  unmount();
  renderScreen(<HomeScreen />);
  await pull();
});

test('without games home shows an empty state', async () => {
  answerWith({ ...homeAnswers, [hotGames]: { list: [] } });
  renderScreen(<HomeScreen />);
  expect(await screen.findByText('No games here yet')).toBeVisible();
});

test('ER-02 home part: a failed list shows an error, and a tap reloads it', async () => {
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
  expect(await screen.findByText('Game 1')).toBeVisible();
});

test('ER-02 announcements part: failed announcements show in the bar, and one tap reloads banners and notices', async () => {
  const announced = 'GET /wps/relay/MCSFE_getListAnnouncements';
  const answers: Record<string, unknown> = {
    ...homeAnswers,
    [announced]: new Failing(400, 'request_param_err'),
  };
  answerWith(answers);
  renderScreen(<HomeScreen />);
  const retry = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
  expect(screen.getByRole('link', { name: 'Load failed, please try again' })).toBeVisible();
  answers[announced] = [
    announcement(1),
    announcement(2, { type: 'B', groupName: 'm_home', title: 'Festival' }),
  ];
  await userEvent.click(retry);
  expect(await screen.findByRole('link', { name: /Festival/ })).toBeVisible();
  expect((await screen.findAllByText('News 1'))[0]).toBeVisible();
  expect(screen.queryByText(/Load failed/)).toBeNull();
});

test('a server error does not show the offline icon', async () => {
  answerWith({ ...homeAnswers, [hotGames]: new Failing(503, 'system.unavailable') });
  renderScreen(<HomeScreen />);
  const failure = await block().findByRole('alert');
  expect(failure.querySelector('use')?.getAttribute('href')).toMatch(/#warning-circle-fill$/);
});

test('the games stay when those of a new language fail to load', async () => {
  await chooseLanguage('vi');
  const answers: Record<string, unknown> = { ...homeAnswers };
  const requests = answerWith(answers);
  renderScreen(<HomeScreen />);
  await screen.findByText('Game 1');
  delete answers[hotGames];
  await act(() => chooseLanguage('pt'));
  await expect
    .poll(() => requests.filter(({ url }) => url.includes('language=PT')))
    .toHaveLength(1);
  await act(() => flushEventLoop());
  expect(screen.getByText('Game 1')).toBeVisible();
});

test('names in another language than the interface have a lang attribute', async () => {
  await chooseLanguage('ur');
  answerWith(homeAnswers);
  renderScreen(<HomeScreen />);
  expect((await screen.findByText('Game 1')).closest('[lang]')?.getAttribute('lang')).toBe('en');
  await chooseLanguage('vi');
});

test('RO-01 launch part: tapping a game sends a visitor to the login, and back', async () => {
  answerWith(homeAnswers);
  renderScreen(<HomeScreen />);
  await userEvent.click(await screen.findByText('Game 1'));
  await expect.poll(() => location.pathname).toBe('/m/login');
  expect(new URLSearchParams(location.search).get('return')).toBe(
    '/m/launchGame?vendor=JL&gameCategory=RNG&gameId=rng-1&nodeId=1001&supportPlay=true',
  );
});

test('tapping a game launches it for a member', async () => {
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
  await expect.poll(() => location.pathname).toBe('/m/launchGame');
});

test('LB-09, EN-12 home part, LB-14 tile part: tiles have stars and say when a game cannot be played', async () => {
  startSession({
    token: 't',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
  const requests = answerWith({
    ...homeAnswers,
    [hotGames]: { list: [game(1), game(2, { maintenance: true }), game(3, { notOpen: true })] },
    'GET /wps/relay/MCSFE_getFavoriteGames': { content: [], pageNum: 1, totalPages: 1 },
    'POST /wps/relay/MCSFE_addFavoriteGameV2': {},
  });
  renderScreen(<HomeScreen />);
  await screen.findByText('Game 1');
  fireEvent.pointerDown(document.body);
  const star = await screen.findByRole('button', { name: 'Favourite: Game 1' });
  const [open, closed, notOpen] = block().getAllByRole('article');
  expect(within(open!).queryByText(/Maintenance|Not open yet/)).toBeNull();
  expect(within(notOpen!).getByText('Not open yet')).toBeVisible();
  expect(within(closed!).getByText('Maintenance')).toBeVisible();
  await expect.poll(() => requests.some(({ url }) => url.includes('getFavoriteGames'))).toBe(true);
  await userEvent.click(star);
  await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
  const sent = requests.find(({ method }) => method === 'POST');
  expect(await sent!.json()).toEqual({ nodeId: '1001', vendor: 'JL' });
  expect(location.pathname).toBe('/m/home');
});

test('LB-12 home part: a lottery opened from home is recorded as played', async () => {
  startSession({
    token: 't',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
  const requests = answerWith({
    ...homeAnswers,
    [hotGames]: { list: [game(1, { vassalage: 'TCG_SEA', gameCategory: 'LOTT' })] },
    'POST /wps/relay/GCS_recentGame': {},
  });
  renderScreen(<HomeScreen />);
  await userEvent.click(await screen.findByText('Game 1'));
  await expect.poll(() => location.pathname).toBe('/m/lottery');
  await expect.poll(() => requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('a game under maintenance shows an error before the login', async () => {
  answerWith({ ...homeAnswers, [hotGames]: { list: [game(1, { maintenance: true })] } });
  renderScreen(<HomeScreen />);
  await userEvent.click(await screen.findByText('Game 1'));
  await expect.poll(() => useToastStore.getState().current?.kind).toBe('error');
  expect(location.pathname).toBe('/m/home');
});

test('JL shows the vendor’s games and other vendors’ games of that category', async () => {
  const list = [
    game(1, { vassalage: 'PG' }),
    game(2),
    game(3, { vassalage: 'PG', gameCategory: 'JL' }),
  ];
  answerWith({ ...homeAnswers, [hotGames]: { list } });
  renderScreen(<HomeScreen />);
  await userEvent.click(await screen.findByRole('link', { name: 'JL' }));
  const names = block()
    .getAllByRole('article')
    .map((tile) => tile.querySelector('a')?.textContent);
  expect(names).toEqual(['Game 2', 'Game 3']);
  expect(block().getByRole('link', { name: 'More' }).getAttribute('href')).toBe(
    '/m/gameList?gameType=JL',
  );
});

test('HM-01 the loading toast stays until the vendor request ends', async () => {
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

test('KO-01 home part: the loading toast lasts 12 s and longer, and returns after other toasts', async () => {
  vi.useFakeTimers();
  answerWith({ ...homeAnswers, [vendors]: () => new Promise(() => {}) });
  const { unmount } = renderScreen(<HomeScreen />);
  await act(() => vi.advanceTimersByTimeAsync(12_000));
  expect(useToastStore.getState().current?.kind).toBe('loading');
  toast.success('saved');
  expect(useToastStore.getState().current?.kind).toBe('success');
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(useToastStore.getState().current?.kind).toBe('loading');
  vi.useRealTimers();
  unmount();
  expect(useToastStore.getState().current).toBeNull();
});

test.each([true, false])('cash back is in the quick menu if its flag is set: %s', async (on) => {
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

test.each([true, false])(
  'HM-07 customer service is in the quick menu only with a link: %s',
  async (on) => {
    answerWith({
      ...homeAnswers,
      'GET /wps/system/customerService': [
        { csType: 'CS', path: on ? 'sealed' : '' },
        { csType: 'ZALO', path: 'sealed' },
      ],
    });
    renderScreen(<HomeScreen />);
    await screen.findByText('Game 1');
    const menu = within(screen.getByRole('navigation', { name: 'Shortcuts' }));
    await menu.findByRole('link', { name: 'Withdraw' });
    const service = menu.queryAllByRole('link', { name: 'Service' });
    expect(service.map((link) => link.getAttribute('href'))).toEqual(on ? ['/m/service'] : []);
    expect(menu.getByRole('link', { name: 'Hot games' }).getAttribute('href')).toBe(
      '/m/home?category=HOT',
    );
    expect(menu.getByRole('link', { name: 'Rewards' }).getAttribute('href')).toBe(
      '/m/rewardCenter',
    );
  },
);

test('HM-02 in part: an app-download icon is on each side of the notices', async () => {
  answerWith(homeAnswers);
  renderScreen(<HomeScreen />);
  await screen.findByText('No announcements');
  const hrefs = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  const [before, bar, after] = hrefs.slice(hrefs.indexOf('/m/notice') - 1);
  expect([before, bar, after]).toEqual(['/m/app?guide=android', '/m/notice', '/m/app?guide=ios']);
});

test.each([
  ['with a live model', [{ id: 'a', name: 'An', status: 'active', cover: '' }], 2],
  ['without one', [], 1],
])('HM-03 the live banners %s', async (_, models, expected) => {
  answerWith({
    ...homeAnswers,
    'GET /wps/relay/LIVE_getModelList': models,
    'GET /wps/relay/MCSFE_getListAnnouncements': (request: Request) => {
      const group = new URL(request.url).searchParams.get('groupName')!;
      return [announcement(group === 'm_live' ? 2 : 1, { type: 'B', groupName: group })];
    },
  });
  renderScreen(<HomeScreen />);
  const banners = within(await screen.findByRole('region', { name: 'Banners' }));
  await expect.poll(() => banners.queryAllByRole('link')).toHaveLength(expected);
});

test('without announcements the bar says so and still links to their page', async () => {
  answerWith(homeAnswers);
  renderScreen(<HomeScreen />);
  await userEvent.click(await screen.findByText('No announcements'));
  expect(location.pathname).toBe('/m/notice');
});

test('the shortcuts show placeholders until the switches are loaded', async () => {
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
  expect(await menu.findByRole('link', { name: 'Hot games' })).toBeVisible();
});
