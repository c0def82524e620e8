import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { chooseLanguage } from '../../i18n/runtime.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { game, gamePage, homeAnswers, vendor } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { captionHeight } from '../../ui/TileCard.tsx';
import { toast, useToastStore } from '../../ui/toastStore.ts';
import ListScreen from './ListScreen.tsx';

const list = 'GET /wps/relay/GCSGAME_gameList';
const hot = 'GET /wps/relay/GCSGAME_hotGamesV2';
const favourites = 'GET /wps/relay/MCSFE_getFavoriteGames';
const add = 'POST /wps/relay/MCSFE_addFavoriteGameV2';
const remove = 'DELETE /wps/relay/MCSFE_removeFavoriteGameV2';

const answers = {
  ...homeAnswers,
  'GET /wps/relay/GCSGAME_newGameVendor': [
    vendor('PG', 'Paper Garden', ['RNG'], 1),
    vendor('JL', 'Jade Lantern', ['RNG', 'FISH'], 2),
  ],
  'GET /wps/relay/GCSGAME_getVassGameType': [
    {
      vassalage: 'JL',
      gameTypes: ['RNG', 'FISH'],
      classify: [
        { gameType: 'RNG', classify: 'myth', count: 2 },
        { gameType: 'FISH', classify: 'boss', count: 5 },
        { gameType: 'RNG', classify: 'odd-one', count: 1 },
      ],
      counts: [
        { gameType: 'FISH', count: 5 },
        { gameType: 'RNG', count: 9 },
      ],
    },
  ],
  [hot]: {
    list: [
      game(1, { nodeName: 'Rồng Vàng', minBet: 500 }),
      game(2, { nodeName: 'Cá Mập', gameCategory: 'FISH', vassalage: 'PG', minBet: 5000 }),
    ],
  },
  [list]: gamePage([game(11, { nodeName: 'Rồng Lửa' })], 1, 1, 48),
  [favourites]: { content: [game(21), game(22)], pageNum: 1, totalPages: 1 },
};

const logIn = () =>
  startSession({
    token: 't',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });

function open(address: string, replies: Record<string, unknown> = answers) {
  history.replaceState(null, '', address);
  const requests = answerWith(replies);
  renderScreen(<ListScreen />);
  return requests;
}

const queriesOf = (requests: Request[], call: string) =>
  requests
    .filter(({ url }) => url.includes(call))
    .map(({ url }) => Object.fromEntries(new URL(url).searchParams));

const search = () => screen.getByRole('searchbox', { name: 'Search games' });

beforeEach(async () => {
  clearSession();
  toast.hide();
  window.scrollTo = vi.fn();
  await chooseLanguage('vi');
});

test('RT-18, CA-08, LB-11 app part: the request holds every filter of the URL', async () => {
  const requests = open(
    '/m/gameList?gameType=RNG&vassalage=JL,PG&gameName=rong&gameClassify=myth&minBet=1000&minLine=25&sort=new',
  );
  await screen.findByText('Rồng Lửa');
  expect(queriesOf(requests, 'gameList')[0]).toEqual({
    merchant: 'fairground',
    platform: 'html5',
    language: 'VI',
    pageNo: '1',
    pageSize: '21',
    gameType: 'RNG',
    vassalage: 'JL,PG',
    gameName: 'rong',
    gameClassify: 'myth',
    minBet: '1000',
    minLine: '25',
    sort: 'new',
  });
  expect(screen.getByText('48 games')).toBeVisible();
});

test.each(['LOTT', 'ELOTT'])(
  'KO-08 the client type in the app: requests for %s send 2',
  async (category) => {
    const requests = open(`/m/gameList?gameType=${category}`);
    await screen.findAllByText('Rồng Lửa');
    const [query] = queriesOf(requests, 'gameList');
    expect([query?.clientType, query?.platform]).toEqual(['2', undefined]);
  },
);

test('CA-08 in part: the request sends the interface language, Urdu too', async () => {
  await chooseLanguage('ur');
  const requests = open('/m/gameList');
  const [name] = await screen.findAllByText('Rồng Lửa');
  expect(queriesOf(requests, 'gameList')[0]?.language).toBe('UR');
  expect(name?.closest('[lang]')?.getAttribute('lang')).toBe('ur');
});

test('typing searches after a pause, ignores accents and marks the matches', async () => {
  const requests = open('/m/gameList');
  await screen.findAllByText('Rồng Lửa');
  await userEvent.type(search(), 'rong ');
  await expect.poll(() => location.search).toBe('?gameName=rong');
  await expect.poll(() => queriesOf(requests, 'gameList').at(-1)?.gameName).toBe('rong');
  // One request per pause. The field keeps the typed space.
  expect(queriesOf(requests, 'gameList').length).toBeLessThanOrEqual(3);
  expect((search() as HTMLInputElement).value).toBe('rong ');
  await expect.poll(() => document.querySelector('mark')?.textContent).toBe('Rồng');
  await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
  await expect.poll(() => location.search).toBe('');
  expect(document.activeElement).toBe(search());
});

test('the active filters show above the list and can be removed one by one', async () => {
  open('/m/gameList?vassalage=JL,PG&gameClassify=myth&minBet=1000&minLine=25');
  await userEvent.click(await screen.findByRole('button', { name: 'Remove filter: Paper Garden' }));
  expect(location.search).toBe('?vassalage=JL&gameClassify=myth&minBet=1000&minLine=25');
  for (const name of [/Myths/, /Stake up to/, /25 lines/, /Jade Lantern/]) {
    // oxlint-disable-next-line no-await-in-loop -- each click changes the list
    await userEvent.click(screen.getByRole('button', { name }));
  }
  expect(location.search).toBe('');
});

test('the filter sheet shows the number of results and changes nothing until applied', async () => {
  const requests = open('/m/gameList?gameType=RNG', {
    ...answers,
    [list]: ({ url }: Request) => gamePage([game(11)], 1, 1, url.includes('vassalage=JL') ? 7 : 48),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Filters' }));
  expect(await sheet.findByRole('button', { name: 'See 48 games' })).toBeVisible();
  // If the server sends no count, the vendor shows none.
  expect(sheet.getByRole('checkbox', { name: 'Paper Garden' })).toBeVisible();
  await userEvent.click(await sheet.findByRole('checkbox', { name: 'Jade Lantern 9 games' }));
  await userEvent.click(await sheet.findByRole('checkbox', { name: 'Myths' }));
  expect(sheet.getByRole('checkbox', { name: 'odd-one' })).toBeVisible();
  expect(sheet.queryByRole('checkbox', { name: 'Boss hunt' })).toBeNull();
  await userEvent.click(sheet.getByRole('radio', { name: /Up to 5/ }));
  await userEvent.click(sheet.getByRole('radio', { name: '50+' }));
  expect(location.search).toBe('?gameType=RNG');
  await userEvent.click(await sheet.findByRole('button', { name: 'See 7 games' }));
  await expect
    .poll(() => location.search)
    .toBe('?gameType=RNG&vassalage=JL&gameClassify=myth&minBet=5000&minLine=50');
  expect(queriesOf(requests, 'gameList').some(({ pageSize }) => pageSize === '1')).toBe(true);
});

test('changing the sort order changes the URL', async () => {
  open('/m/gameList?type=hot');
  const names = () =>
    screen.getAllByRole('article').map((tile) => tile.querySelector('a')?.textContent);
  await screen.findAllByText('Rồng Vàng');
  expect(names()).toEqual(['Rồng Vàng', 'Cá Mập']);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'A to Z');
  expect(location.search).toBe('?type=hot&sort=name');
  expect(names()).toEqual(['Cá Mập', 'Rồng Vàng']);
});

test('the server sorts all games by the chosen order', async () => {
  const requests = open('/m/gameList?gameType=RNG');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Newest');
  expect(location.search).toBe('?gameType=RNG&sort=new');
  await expect
    .poll(() => queriesOf(requests, 'GCSGAME_gameList').at(-1))
    .toMatchObject({ sort: 'new', gameType: 'RNG' });
});

test('favourites cannot be sorted', () => {
  open('/m/gameList?type=fav');
  expect(screen.queryByRole('combobox', { name: 'Sort by' })).toBeNull();
});

test('tabs change the URL and keep the search', async () => {
  open('/m/gameList?gameName=rong');
  const tabs = within(screen.getByRole('navigation', { name: 'Game categories' }));
  await userEvent.click(await tabs.findByRole('link', { name: 'Fishing' }));
  expect(location.search).toBe('?gameType=FISH&gameName=rong');
  await userEvent.click(tabs.getByRole('link', { name: 'Hot' }));
  expect(location.search).toBe('?type=hot&gameName=rong');
});

test('LB-06 HOT part: the hot list is fetched whole and filtered here', async () => {
  const requests = open('/m/gameList?type=hot&gameName=ca');
  expect(await screen.findByText('Cá')).toBeVisible();
  expect(screen.queryByText('Rồng Vàng')).toBeNull();
  expect(screen.getByText('1 game')).toBeVisible();
  expect(queriesOf(requests, 'GCSGAME_gameList')).toEqual([]);
});

test('LB-08 list part: favourites load in pages of 15, more while pageNum < totalPages', async () => {
  logIn();
  const requests = open('/m/gameList?type=fav', {
    ...answers,
    [favourites]: { content: [game(21)], pageNum: 1, totalPages: 2 },
  });
  await screen.findAllByText('Game 21');
  expect(queriesOf(requests, 'getFavoriteGames')).toContainEqual({
    pageNo: '1',
    pageSize: '15',
    language: 'VI',
  });
  // The count is unknown until the last page.
  expect(screen.queryByText('1 game')).toBeNull();
});

test('LB-09 list part: a favourite shows its star before all stars are loaded', async () => {
  logIn();
  const favourite = { content: [game(21)], pageNum: 1, totalPages: 1 };
  open('/m/gameList?type=fav', {
    ...answers,
    // The request for all stars has a larger page size and never completes.
    [favourites]: ({ url }: Request) =>
      url.includes('pageSize=15') ? favourite : new Promise(() => {}),
  });
  const star = await screen.findByRole('button', { name: /Game 21/ });
  expect(star.getAttribute('aria-pressed')).toBe('true');
});

test('RT-18, LB-13 in part: the category FAV lists the member’s favourites', async () => {
  logIn();
  const requests = open('/m/gameList?gameType=FAV', { ...answers, [list]: gamePage([]) });
  expect(await screen.findByRole('link', { name: 'Game 21' })).toBeVisible();
  expect(queriesOf(requests, 'gameList')).toEqual([]);
});

test.each([
  ['PROMO', '/m/activity'],
  ['LIVESTREAM', '/m/liveStream'],
  ['HOME', '/m/home'],
])('LB-13 in part: the list of %s redirects to %s', async (code, path) => {
  open(`/m/gameList?gameType=${code}`, { ...answers, [list]: gamePage([]) });
  await expect.poll(() => location.pathname).toBe(path);
});

test('LB-10 without a session the favourites show for 2 s that a login is needed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const requests = open('/m/gameList?type=fav');
  expect(useToastStore.getState().current).toMatchObject({
    kind: 'plain',
    text: { id: 'errors.login.not.session' },
  });
  vi.advanceTimersByTime(1999);
  expect(useToastStore.getState().current).not.toBeNull();
  vi.advanceTimersByTime(1);
  expect(useToastStore.getState().current).toBeNull();
  vi.useRealTimers();
  expect(screen.getByRole('link', { name: 'Login' })).toBeVisible();
  expect(queriesOf(requests, 'getFavoriteGames')).toEqual([]);
});

test('LB-10 star part, RO-01 favourite part: tapping a star sends a visitor to the login, and back', async () => {
  open('/m/gameList?gameType=RNG');
  await userEvent.click(await screen.findByRole('button', { name: 'Favourite: Rồng Lửa' }));
  expect(location.pathname).toBe('/m/login');
  expect(new URLSearchParams(location.search).get('return')).toBe('/m/gameList?gameType=RNG');
});

test('LB-09, EN-12 in part: a star changes after the server’s response, with a message', async () => {
  logIn();
  let answer!: (value: unknown) => void;
  const requests = open('/m/gameList', {
    ...answers,
    [add]: () => new Promise((resolve) => (answer = resolve)),
    [remove]: {},
  });
  const star = await screen.findByRole('button', { name: 'Favourite: Rồng Lửa' });
  await expect.poll(() => queriesOf(requests, 'getFavoriteGames').length).toBe(1);
  await userEvent.click(star);
  await userEvent.click(star);
  expect(useToastStore.getState().current?.kind).toBe('loading');
  expect(star.getAttribute('aria-pressed')).toBe('false');
  answer({});
  await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
  expect(useToastStore.getState().current).toMatchObject({ kind: 'success' });
  const sent = requests.filter(({ method }) => method === 'POST');
  expect(sent).toHaveLength(1);
  expect(await sent[0]!.json()).toEqual({ nodeId: '1011', vendor: 'JL' });

  await userEvent.click(star);
  await expect.poll(() => star.getAttribute('aria-pressed')).toBe('false');
  const taken = requests.find(({ method }) => method === 'DELETE');
  expect(new URL(taken!.url).search).toBe('?nodeId=1011&vendor=JL');
});

test('LB-09, ER-04 favourite part: a failed star only hides the loading toast', async () => {
  logIn();
  open('/m/gameList', { ...answers, [add]: new Failing(500, 'system.error') });
  const star = await screen.findByRole('button', { name: 'Favourite: Rồng Lửa' });
  await userEvent.click(star);
  await expect.poll(() => useToastStore.getState().current).toBeNull();
  expect(star.getAttribute('aria-pressed')).toBe('false');
  expect(location.pathname).toBe('/m/gameList');
});

test('KO-01 favourites part: the loading toast shows for at most 10 s', async () => {
  logIn();
  open('/m/gameList', { ...answers, [add]: () => new Promise(() => {}) });
  const star = await screen.findByRole('button', { name: 'Favourite: Rồng Lửa' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  star.click();
  vi.advanceTimersByTime(9999);
  expect(useToastStore.getState().current?.kind).toBe('loading');
  vi.advanceTimersByTime(1);
  expect(useToastStore.getState().current).toBeNull();
  vi.useRealTimers();
});

test('removing a star removes the game from the favourites', async () => {
  logIn();
  let starred = [game(21), game(22)];
  open('/m/gameList?type=fav', {
    ...answers,
    [favourites]: () => ({ content: starred, pageNum: 1, totalPages: 1 }),
    [remove]: () => {
      starred = starred.slice(1);
      return {};
    },
  });
  const star = await screen.findByRole('button', { name: 'Favourite: Game 21' });
  await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
  await userEvent.click(star);
  await expect.poll(() => screen.queryByRole('button', { name: 'Favourite: Game 21' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Favourite: Game 22' })).toBeVisible();
});

test('an empty search explains itself, offers fewer filters and lists similar games', async () => {
  const similarByWord: Record<string, unknown[]> = {
    ca: [game(5, { nodeName: 'Cao Bồi' }), game(6, { nodeName: 'Cá Xanh' })],
  };
  open('/m/gameList?gameType=RNG&vassalage=JL,PG&gameName=ca+xanh+88', {
    ...answers,
    [list]: ({ url }: Request) =>
      gamePage(similarByWord[new URL(url).searchParams.get('gameName') ?? ''] ?? []),
  });
  expect(await screen.findByText('No game found')).toBeVisible();
  expect(screen.queryByRole('combobox', { name: 'Sort by' })).toBeNull();
  expect(screen.getByText(/“ca xanh 88” in Slots by Jade Lantern or Paper Garden/)).toBeVisible();
  const similar = within(await screen.findByRole('region', { name: 'Close to what you typed' }));
  expect(similar.getAllByRole('link').map((link) => link.textContent)).toEqual(['Cá Xanh']);
  expect(similar.getByRole('list').style.getPropertyValue('--below')).toBe(captionHeight);
  await userEvent.click(screen.getByRole('link', { name: 'Drop the filters' }));
  expect(location.search).toBe('?gameType=RNG&gameName=ca+xanh+88');
});

test('an unknown category or vendor shows an empty list, and its code is not shown', async () => {
  open('/m/gameList?gameType=NONE&vassalage=NOBODY', { ...answers, [list]: gamePage([]) });
  expect(await screen.findByText('No game found')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Other games' }).getAttribute('aria-current')).toBe(
    'true',
  );
  expect(screen.queryByText(/NONE|NOBODY/)).toBeNull();
});

test('ER-02 list part: a failed next page keeps the loaded games, says how many there are, and can be retried', async () => {
  let calls = 0;
  const { reachEnd } = observeIntersections();
  open('/m/gameList', {
    ...answers,
    [list]: ({ url }: Request) => {
      if (url.includes('pageNo=1')) return gamePage([game(11)], 1, 2, 2);
      calls += 1;
      return calls === 1 ? new Failing(502, 'x') : gamePage([game(12)], 2, 2, 2);
    },
  });
  await screen.findAllByText('Game 11');
  reachEnd();
  const row = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
  expect(row.textContent).toContain('1 of 2 games are here');
  expect(screen.getAllByText('Game 11')).not.toHaveLength(0);
  await userEvent.click(row);
  expect(await screen.findAllByText('Game 12')).not.toHaveLength(0);
});

test('ER-02 list part: categories and filters that fail to load show an error and can be retried', async () => {
  const [vendors, kinds] = ['newGameVendor', 'getVassGameType'].map(
    (call) => `GET /wps/relay/GCSGAME_${call}` as keyof typeof answers,
  );
  const down = new Failing(503, 'system.unavailable');
  const replies: Record<string, unknown> = { ...answers, [vendors!]: down, [kinds!]: down };
  open('/m/gameList', replies);
  const tabs = within(screen.getByRole('navigation', { name: 'Game categories' }));
  const retry = { name: /Load failed, tap to retry/ };
  expect(await tabs.findByRole('button', retry)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Filters' }));
  const again = await sheet.findByRole('button', retry);
  Object.assign(replies, { [vendors!]: answers[vendors!], [kinds!]: answers[kinds!] });
  await userEvent.click(again);
  expect(await sheet.findByRole('checkbox', { name: /Paper Garden/ })).toBeVisible();
  expect(await sheet.findByRole('group', { name: 'Kinds of games' })).toBeVisible();
  expect(sheet.queryByRole('button', retry)).toBeNull();
  expect(tabs.queryByRole('button', { ...retry, hidden: true })).toBeNull();
  expect(tabs.getByRole('link', { name: 'Fishing', hidden: true })).toBeVisible();
});

/** Fakes IntersectionObserver, so that a test can reach the end of the list. */
function observeIntersections() {
  const callbacks: IntersectionObserverCallback[] = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: IntersectionObserverCallback) {
        callbacks.push(callback);
      }
      observe() {}
      unobserve() {}
      disconnect() {}
      takeRecords() {
        return [];
      }
    },
  );
  const entry = { isIntersecting: true } as IntersectionObserverEntry;
  return {
    reachEnd: () => {
      for (const callback of callbacks) callback([entry], {} as IntersectionObserver);
    },
  };
}
