import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { readLaunch } from './launch.ts';
import { plays } from './testing.ts';
import type { OrderRequest } from './wire.ts';

let sent: unknown[];
const parent = { postMessage: (...message: unknown[]) => sent.push(message) };

type Reply = { status?: number; body: unknown };
/** Handlers by method and path. An unknown path fails the test. */
let server: Record<string, (body: unknown) => Reply | Promise<Reply>>;
let calls: string[];
let orders: OrderRequest[];

const now = Date.now();
const numero = {
  numero: '20261118-0871',
  openTime: now - 10_000,
  closeTime: now + 3_600_000,
  drawTime: now + 3_700_000,
  serverTime: now,
  status: 'open',
};
const game = {
  gameId: '1201',
  gameCode: 'k3-1',
  gameName: 'K3, 1 min',
  gameGroupId: '12',
  type: 'k3',
  period: 60,
  prizeModes: ['Elott', 'ZY'],
  ...numero,
};
const draw = {
  numero: '20261118-0870',
  winNo: '5,3,5',
  drawTime: now - 10_000,
  status: 'settled',
};
const placed = { orderId: '9', total: 4000, balance: 96_000, numeros: [numero.numero] };
const bet = {
  betId: '91',
  numero: numero.numero,
  playCode: 'side',
  selection: 'big',
  stake: 1000,
  multiple: 2,
  lines: 1,
  amount: 2000,
  odds: '1.995',
  state: 'open',
  payout: 0,
  rebate: 0,
};
const order = {
  orderId: '9',
  gameId: '1201',
  prizeMode: 'Elott',
  createdAt: now,
  total: 2000,
  bets: [bet],
};

beforeEach(() => {
  sent = [];
  calls = [];
  orders = [];
  server = {
    'POST session': () => ({
      body: {
        session: 's1',
        expiresAt: now + 1e6,
        currency: 'VND',
        balance: 100_000,
        trial: false,
        player: 'p1',
        language: 'EN',
        gameId: '1201',
      },
    }),
    'GET games': () => ({ body: [game] }),
    'GET games/game_menus': () => ({
      body: [{ gameGroupId: '12', name: 'K3', games: ['1201'] }],
    }),
    'GET games/1201/play_menu': () => ({ body: [plays.side, plays.sum] }),
    'GET games/1201/stats': () => ({
      body: {
        playCode: 'side',
        draws: 100,
        numbers: [{ number: 'big', times: 48, draws: 48, omission: 2, longest: 7 }],
      },
    }),
    'GET numeros/near': () => ({ body: numero }),
    'GET draw/1201': () => ({ body: { list: [draw], next: '' } }),
    'POST orders/betting': (body) => {
      orders.push(body as OrderRequest);
      return { body: placed };
    },
    'GET orders': () => ({ body: { list: [order], next: '' } }),
    'GET orders/9': () => ({ body: order }),
    'DELETE orders/9': () => ({ body: { returned: 2000, balance: 100_000 } }),
  };
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = input instanceof Request ? input.url : input;
    const { pathname } = new URL(url, location.origin);
    const name = `${init?.method ?? 'GET'} ${pathname.replace(/^\/(?:lgw|wps)\//, '')}`;
    calls.push(name);
    const handle = server[name];
    if (!handle) throw new Error(`unexpected call: ${name}`);
    const text = init?.body;
    const { status = 200, body } = await handle(typeof text === 'string' ? JSON.parse(text) : null);
    return Response.json(body, { status });
  });
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
  document.body.innerHTML = '<div id="lottery"></div>';
  localStorage.clear();
  vi.resetModules();
});

afterEach(() => {
  document.body.replaceChildren();
  history.replaceState(null, '', '/');
});

const path = '/m/lotto-h5/2/ent/games/1201?token=t1&merchant=demo&css=light&prize_mode=Elott';

async function openPage(): Promise<void> {
  history.replaceState(null, '', `${path}#theme=light&lang=en`);
  await import('./main.tsx');
  await screen.findByRole('button', { name: /^Big ?1\.9/ });
}

async function addTicket(): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: /^Big ?1\.9/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Add ticket' }));
  await userEvent.click(screen.getByRole('button', { name: 'Open cart' }));
}

const cart = () => within(screen.getByRole('dialog'));
const messages = (type: string) =>
  sent.map((entry) => (entry as [{ type: string }])[0]).filter((message) => message.type === type);

test('GL-04 in part: the launch URL contains the game, the play type, the theme and the prize mode', () => {
  const read = (url: string) => readLaunch(new URL(url, location.origin));
  expect(read(path)).toEqual({
    gameId: '1201',
    playType: 'ent',
    theme: 'light',
    token: 't1',
    merchant: 'demo',
    prizeMode: 'Elott',
    language: '',
    wayBack: '/m/game',
  });
  expect(read('/m/lotto-h5/vn/trad/games/lobby?pageBack#theme=dark&lang=pt')).toMatchObject({
    gameId: 'lobby',
    playType: 'trad',
    theme: 'dark',
    language: 'pt',
    wayBack: '/m/home',
  });
  expect(read('/m/lotto-h5/vn/other/games/42')).toBeNull();
  expect(read('/m/lotto-h5/vn/ent/games/42/more')).toBeNull();
});

test('the page opens a session once, reports its game and return to the app, and bets', async () => {
  await openPage();
  expect(calls.filter((name) => name === 'POST session')).toHaveLength(1);
  expect(document.documentElement).toHaveAttribute('data-theme', 'light');
  await expect
    .poll(() => messages('ready').at(-1))
    .toMatchObject({ title: 'K3, 1 min', rtp: '97.00' });
  await addTicket();
  await userEvent.click(cart().getByRole('button', { name: 'Place bet' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(orders).toEqual([
    {
      requestId: expect.any(String),
      gameId: '1201',
      numero: numero.numero,
      playType: 'ent',
      prizeMode: 'Elott',
      bets: [{ playCode: 'side', selection: 'big', stake: 1000, multiple: 1, odds: '1.995' }],
    },
  ]);
  expect(localStorage.getItem('lottery.p1.cart.1201')).toBeNull();
});

test('an order without a response is sent again with the same id', async () => {
  let attempts = 0;
  server['POST orders/betting'] = (body) => {
    orders.push(body as OrderRequest);
    attempts += 1;
    if (attempts === 1) throw new TypeError('network');
    return { body: placed };
  };
  await openPage();
  await addTicket();
  await userEvent.click(cart().getByRole('button', { name: 'Place bet' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(orders).toHaveLength(2);
  expect(orders[1]).toEqual(orders[0]);
});

test('a refused order stays in the cart, with the reason', async () => {
  server['POST orders/betting'] = () => ({
    status: 409,
    body: { errorCode: 'lottery.closed', message: 'closed' },
  });
  await openPage();
  await addTicket();
  await userEvent.click(cart().getByRole('button', { name: 'Place bet' }));
  expect(await cart().findByRole('alert')).toHaveTextContent('Bets on this draw are closed');
  expect(cart().getByRole('button', { name: 'Place bet' })).toBeEnabled();
  expect(localStorage.getItem('lottery.p1.cart.1201')).toContain('"pending":null');
});

test('an expired session is reported once, and the tickets stay in the cart', async () => {
  const expired = () => ({
    status: 401,
    body: { errorCode: 'user.or.token.invalid', message: 'expired' },
  });
  server['POST orders/betting'] = expired;
  server['GET orders'] = expired;
  await openPage();
  expect(history.state).toMatchObject({ ticket: 't1' });
  await addTicket();
  await userEvent.click(cart().getByRole('button', { name: 'Place bet' }));
  expect(await cart().findByRole('alert')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'My bets', hidden: true }));
  await expect.poll(() => calls).toContain('GET orders');
  expect(messages('expired')).toHaveLength(1);
  expect(history.state, 'a reload does not use the session again').toBeNull();
  expect(localStorage.getItem('lottery.p1.cart.1201')).toContain('"pending":null');
});

test('a result that arrives while the page is open is revealed, and earlier ones are not', async () => {
  await openPage();
  const shown = async (die: string) => {
    const dice = await within(screen.getByRole('region', { name: 'Last draw' })).findAllByRole(
      'img',
      { name: die },
    );
    return dice[0]?.closest('.revealed') !== null;
  };
  expect(await shown('3')).toBe(false);
  server['GET numeros/near'] = () => ({
    body: { ...numero, numero: '20261118-0872', openTime: now - 5000 },
  });
  const next = { ...draw, numero: numero.numero, winNo: '6,6,2', drawTime: now - 5000 };
  server['GET draw/1201'] = () => ({ body: { list: [next, draw], next: '' } });
  document.dispatchEvent(new Event('visibilitychange'));
  expect(await shown('2')).toBe(true);
});

test('changed odds update the cart, and the player must place the bet again', async () => {
  server['POST orders/betting'] = () => ({
    status: 409,
    body: { errorCode: 'lottery.odds_changed', message: 'odds' },
  });
  await openPage();
  await addTicket();
  const changed = { ...plays.side, odds: '1.900' };
  server['GET games/1201/play_menu'] = () => ({ body: [changed, plays.sum] });
  await userEvent.click(cart().getByRole('button', { name: 'Place bet' }));
  expect(await cart().findByRole('alert')).toHaveTextContent('The odds have changed');
  await waitFor(() => expect(localStorage.getItem('lottery.p1.cart.1201')).toContain('1.900'));
  expect(await cart().findByText('× 1.9')).toBeVisible();
});

test('tickets in the cart get the odds of a chosen price list', async () => {
  await openPage();
  await addTicket();
  expect(cart().getByText('× 1.995')).toBeVisible();
  const dearer = { ...plays.side, odds: '1.964' };
  server['GET games/1201/play_menu'] = () => ({ body: [dearer, plays.sum] });
  await userEvent.click(screen.getByRole('button', { name: 'Rules', hidden: true }));
  await userEvent.click(screen.getByRole('radio', { name: /^ZY/, hidden: true }));
  await waitFor(() => expect(localStorage.getItem('lottery.p1.cart.1201')).toContain('1.964'));
});

test('the last order is repeated with the present odds', async () => {
  await openPage();
  await addTicket();
  await userEvent.click(cart().getByRole('button', { name: 'Place bet' }));
  await waitFor(() => expect(orders).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: /^Cart/ }));
  await userEvent.click(await cart().findByRole('button', { name: 'Repeat the last order' }));
  await userEvent.click(await cart().findByRole('button', { name: 'Place bet' }));
  await waitFor(() => expect(orders).toHaveLength(2));
  expect(orders[1]!.bets).toEqual(orders[0]!.bets);
  expect(orders[1]!.requestId).not.toBe(orders[0]!.requestId);
});

test('no bet can be placed after the close', async () => {
  server['GET numeros/near'] = () => ({ body: { ...numero, closeTime: now - 1000 } });
  history.replaceState(null, '', `${path}#theme=light&lang=en`);
  await import('./main.tsx');
  expect(await screen.findByRole('button', { name: /^Big ?1\.9/ })).toBeDisabled();
  expect(screen.getByText('Closed, draw in')).toBeVisible();
});

test('an open order can be cancelled in the list of bets', async () => {
  await openPage();
  await userEvent.click(screen.getByRole('button', { name: 'My bets' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel open draws' }));
  await userEvent.click(cart().getByRole('button', { name: 'Cancel the order' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls).toContain('DELETE orders/9');
});

test('statistics are labelled as history', async () => {
  await openPage();
  await userEvent.click(screen.getByRole('button', { name: 'Statistics' }));
  expect(screen.getByText(/history, not a forecast/)).toBeVisible();
  expect(await screen.findByRole('row', { name: /Big 48 2 7/ })).toBeVisible();
});

test('rules show odds, chance and return', async () => {
  await openPage();
  await userEvent.click(screen.getByRole('button', { name: 'Rules' }));
  expect(await screen.findByRole('row', { name: '3 209.52 1 in 216 97.00%' })).toBeVisible();
});

test('PP-17 in part: the check of a draw says where the salt of its series comes from', async () => {
  const proof = {
    series: '7',
    link: 870,
    commitment: 'ab'.repeat(32),
    seed: 'cd'.repeat(32),
    salt: 'ef'.repeat(16),
    nonce: 870,
    version: 1,
  };
  server['GET draw/1201'] = () => ({ body: { list: [{ ...draw, proof }], next: '' } });
  server['GET series/7'] = () => ({ body: { series: '7', saltSource: 'announced' } });
  await openPage();
  await userEvent.click(screen.getByRole('button', { name: 'Results' }));
  await userEvent.click(await screen.findByRole('button', { name: /^Check draw/ }));
  expect(await screen.findByText(/starts with a public result that was announced/)).toBeVisible();
});

test('PP-17 in part: the check of the whole series computes the salt again', async () => {
  const hex = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('hex');
  const digest = (data: BufferSource) => crypto.subtle.digest('SHA-256', data);
  const seed = 'cd'.repeat(32);
  const end = hex(await digest(await digest(Buffer.from(seed, 'hex'))));
  const series = { kind: 'lottery', name: 'k3-1-7', generation: 2, length: 9, end, value: '40213' };
  const text = `lottery:k3-1-7:2:${end}:40213`;
  const salt = hex(await digest(new TextEncoder().encode(text))).slice(0, 32);
  const proof = { series: '7', link: 2, commitment: 'ab', seed, salt, nonce: 2, version: 1 };
  server['GET draw/1201'] = () => ({ body: { list: [{ ...draw, proof }], next: '' } });
  server['GET series/7'] = () => ({ body: { series: '7', saltSource: 'announced', end, salt } });
  let published: object = { ...series, salt };
  server['GET fairness/oneSeries'] = () => ({ body: { value: published } });
  await openPage();
  const check = async () => {
    await userEvent.click(await screen.findByRole('button', { name: /^Check the draw/ }));
    await userEvent.click(await screen.findByRole('button', { name: 'Check the whole series' }));
  };
  await check();
  expect(await cart().findByText(/2 hashes lead to the published end, and the salt/)).toBeVisible();
  await userEvent.click(cart().getByRole('button', { name: 'Close' }));
  // The operator changed the value after the end was published.
  published = { ...series, salt, value: '40214' };
  await check();
  expect(await cart().findByText('The salt is not that of the series.')).toBeVisible();
});

test('a cancelled bet is not announced as lost, and a void one is announced', async () => {
  const open = { ...bet, numero: '20261118-0870' };
  const other = { ...order, orderId: '10', bets: [{ ...open, state: 'void' }] };
  server['GET orders/9'] = () => ({ body: { ...order, bets: [{ ...open, state: 'cancelled' }] } });
  server['GET orders/10'] = () => ({ body: other });
  const followed = (orderId: string) => ({ orderId, gameId: '1201', numeros: ['20261118-0870'] });
  localStorage.setItem(
    'lottery.p1.followed',
    JSON.stringify([followed('9'), followed('10'), { ...followed('11'), gameId: '1203' }]),
  );
  await openPage();
  expect(await screen.findByText(/^Draw 0870 is void/)).toBeVisible();
  expect(screen.queryByText(/no win this time/)).toBeNull();
  expect(calls).not.toContain('GET orders/11');
  expect(localStorage.getItem('lottery.p1.followed')).not.toContain('"orderId":"9"');
});

test('GL-05 in part: a page that cannot open shows an error, and its back button closes the frame', async () => {
  server['POST session'] = () => ({
    status: 401,
    body: { errorCode: 'user.or.token.invalid', message: 'invalid' },
  });
  history.replaceState(null, '', `${path}#theme=light&lang=en`);
  await import('./main.tsx');
  expect(await screen.findByText('The lottery did not open')).toBeVisible();
  await waitFor(() => expect(messages('expired')).toHaveLength(1));
  await userEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect(messages('close')).toHaveLength(1);
});

test('the page follows the theme and the language of the app, and its back button closes a panel', async () => {
  await openPage();
  await addTicket();
  const receive = (message: object) => {
    const data = { fairground: 1, ...message };
    const event = new MessageEvent('message', { data, origin: location.origin });
    Object.defineProperty(event, 'source', { value: parent });
    window.dispatchEvent(event);
  };
  receive({ type: 'dismiss' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  receive({
    type: 'settings',
    theme: 'dark',
    language: 'ur',
    sound: true,
    haptics: true,
    reducedMotion: false,
  });
  await expect.poll(() => document.documentElement.lang).toBe('ur');
  expect(document.documentElement).toHaveAttribute('dir', 'rtl');
  expect(document.documentElement).toHaveAttribute('data-theme', 'dark');
});
