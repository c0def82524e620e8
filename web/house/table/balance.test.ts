// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

import type { ServerEvent } from '../../src/lib/sse.ts';
import type { Api } from '../kit/api.ts';
import { setLanguage } from '../kit/language.ts';
import type { Stream } from '../kit/stream.ts';
import { sendToGame } from '../kit/testing.ts';
import { engine } from './baccarat.ts';
import { TableGame } from './game.ts';
import { aBet, aTableResponse, aRound, aSession, banker76 } from './testing.ts';
import type { TableResponse, TableUpdate } from './wire.ts';

vi.mock('../kit/sound.ts', () => ({
  playSound: () => {},
  setSoundEnabled: () => {},
  unlockSound: () => {},
  muteWhileHidden: () => {},
}));

beforeEach(async () => {
  vi.useFakeTimers({
    toFake: ['performance', 'setTimeout', 'clearTimeout', 'setInterval', 'requestAnimationFrame'],
  });
  localStorage.clear();
  const parent = { postMessage: () => {} };
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window);
  await setLanguage('en');
  return () => vi.useRealTimers();
});

/** Opens a table. The test sends updates and sets the next response. */
async function openTable(answer: Partial<TableResponse>) {
  let event: (event: ServerEvent) => void = () => {};
  const stream: Stream = (_, on) => {
    ({ event } = on);
    return new Promise(() => {});
  };
  const now = { ...answer };
  const get = vi.fn((path: string) =>
    Promise.resolve(path === 'table' ? aTableResponse(now) : { list: [], next: null }),
  );
  const post = vi.fn(() => Promise.resolve({ bet: aBet(), balance: 0 }));
  const api = { get: get as Api['get'], post: post as Api['post'] };
  await new TableGame({ api, stream }, aSession(), engine).start(document.body);
  const tableRequests = () => get.mock.calls.filter(([path]) => path === 'table').length;
  const send = (news: TableUpdate) => event({ event: 'table', data: JSON.stringify(news) });
  return { now, tableRequests, send, post };
}

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const one = (selector: string) => document.querySelector<HTMLElement>(selector)!;
const foot = () => one('.foot-value').textContent;
const hint = () => one('.hint').textContent;
const tap = (id: string) => one(`[data-spot=${id}]`).click();

test('PP-01 (client) a table adopts the balance from the app and accepts chips for it', async () => {
  const { tableRequests } = await openTable({ balance: 20_000 });
  sendToGame({ type: 'balance', balance: 70_000 });
  expect(foot()).toBe('70,000\u00A0₫');
  tap('banker');
  expect(one('.confirm').textContent).toBe('Confirm 50,000\u00A0₫');
  expect(tableRequests()).toBe(1);
});

test('PP-01 (client) with a stake in the round, the balance comes from the table', async () => {
  await openTable({ balance: 950_000, mine: [aBet()] });
  sendToGame({ type: 'balance', balance: 1_000_000 });
  expect(foot()).toBe('950,000\u00A0₫');
});

test('PP-01 (client) without a stake the balance follows the app during the deal', async () => {
  const { send } = await openTable({ balance: 20_000 });
  await advance(20_100);
  send({ now: 22_100, round: aRound({ phase: 'dealing', result: banker76 }) });
  sendToGame({ type: 'balance', balance: 70_000 });
  expect(foot()).toBe('70,000\u00A0₫');
});

test('PP-01 (client) the table is fetched once before a chip is refused', async () => {
  const { now, tableRequests } = await openTable({ balance: 20_000 });
  tap('banker');
  await advance(0);
  expect(tableRequests()).toBe(2);
  expect(hint()).toBe('The balance does not cover this stake.');
  now.balance = 70_000;
  tap('banker');
  tap('banker');
  await advance(0);
  expect(tableRequests()).toBe(3);
  expect(one('.confirm').textContent).toBe('Confirm 50,000\u00A0₫');
  expect(foot()).toBe('70,000\u00A0₫');
});

test('PP-01 (client) a stake above the balance is refused after a fetch, and sent when the balance covers it', async () => {
  const { now, tableRequests, post } = await openTable({ balance: 70_000 });
  tap('banker');
  sendToGame({ type: 'balance', balance: 0 });
  now.balance = 0;
  one('.confirm').click();
  await advance(0);
  expect(hint()).toBe('The balance does not cover this stake.');
  expect(post).not.toHaveBeenCalled();
  now.balance = 50_000;
  one('.confirm').click();
  await advance(0);
  expect(tableRequests()).toBe(3);
  expect(post).toHaveBeenCalledOnce();
});

test('PP-01 (client) a tap is dropped when another chip is selected in the meantime', async () => {
  const { now } = await openTable({ balance: 20_000 });
  now.balance = 200_000;
  tap('banker');
  one('.chips [role=radio]').click();
  await advance(0);
  expect(one('[data-spot=banker]').dataset['mine']).toBe('none');
});
