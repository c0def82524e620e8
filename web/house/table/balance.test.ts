// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

import type { ServerEvent } from '../../src/lib/sse.ts';
import type { Api } from '../kit/api.ts';
import { speak } from '../kit/language.ts';
import type { Stream } from '../kit/stream.ts';
import { tellGame } from '../kit/testing.ts';
import { engine } from './baccarat.ts';
import { TableGame } from './game.ts';
import { aBet, anAnswer, aRound, aSession, banker76 } from './testing.ts';
import type { TableAnswer, TableNews } from './wire.ts';

vi.mock('../kit/sound.ts', () => ({
  play: () => {},
  setSound: () => {},
  wakeSound: () => {},
  followVisibility: () => {},
}));

beforeEach(async () => {
  vi.useFakeTimers({
    toFake: ['performance', 'setTimeout', 'clearTimeout', 'setInterval', 'requestAnimationFrame'],
  });
  localStorage.clear();
  const parent = { postMessage: () => {} };
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window);
  await speak('en');
  return () => vi.useRealTimers();
});

/** Sits down at a table that says what the test says, and answers with what it is told to. */
async function sit(answer: Partial<TableAnswer>) {
  let event: (event: ServerEvent) => void = () => {};
  const stream: Stream = (_, on) => {
    ({ event } = on);
    return new Promise(() => {});
  };
  const now = { ...answer };
  const get = vi.fn((path: string) =>
    Promise.resolve(path === 'table' ? anAnswer(now) : { list: [], next: null }),
  );
  const post = vi.fn(() => Promise.resolve({ bet: aBet(), balance: 0 }));
  const api = { get: get as Api['get'], post: post as Api['post'] };
  await new TableGame({ api, stream }, aSession(), engine).start(document.body);
  const looks = () => get.mock.calls.filter(([path]) => path === 'table').length;
  const say = (news: TableNews) => event({ event: 'table', data: JSON.stringify(news) });
  return { now, looks, say, post };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const one = (selector: string) => document.querySelector<HTMLElement>(selector)!;
const foot = () => one('.foot-value').textContent;
const hint = () => one('.hint').textContent;
const tap = (id: string) => one(`[data-spot=${id}]`).click();

test('PP-01 (client) a table adopts the balance that the app tells, and takes chips for it', async () => {
  const { looks } = await sit({ balance: 20_000 });
  tellGame({ type: 'balance', balance: 70_000 });
  expect(foot()).toBe('70,000\u00A0₫');
  tap('banker');
  expect(one('.confirm').textContent).toBe('Confirm 50,000\u00A0₫');
  expect(looks()).toBe(1);
});

test('PP-01 (client) while a stake of the player lies, its own answer says the balance', async () => {
  await sit({ balance: 950_000, mine: [aBet()] });
  tellGame({ type: 'balance', balance: 1_000_000 });
  expect(foot()).toBe('950,000\u00A0₫');
});

test('PP-01 (client) without a stake in the round the balance follows while it is dealt', async () => {
  const { say } = await sit({ balance: 20_000 });
  await pass(20_100);
  say({ now: 22_100, round: aRound({ phase: 'dealing', result: banker76 }) });
  tellGame({ type: 'balance', balance: 70_000 });
  expect(foot()).toBe('70,000\u00A0₫');
});

test('PP-01 (client) the table is asked once before a chip is refused for want of balance', async () => {
  const { now, looks } = await sit({ balance: 20_000 });
  tap('banker');
  await pass(0);
  expect(looks()).toBe(2);
  expect(hint()).toBe('The balance does not cover this stake.');
  now.balance = 70_000;
  tap('banker');
  tap('banker');
  await pass(0);
  expect(looks()).toBe(3);
  expect(one('.confirm').textContent).toBe('Confirm 50,000\u00A0₫');
  expect(foot()).toBe('70,000\u00A0₫');
});

test('PP-01 (client) a stake whose balance went elsewhere is refused after the table was asked, and sent when it is back', async () => {
  const { now, looks, post } = await sit({ balance: 70_000 });
  tap('banker');
  tellGame({ type: 'balance', balance: 0 });
  now.balance = 0;
  one('.confirm').click();
  await pass(0);
  expect(hint()).toBe('The balance does not cover this stake.');
  expect(post).not.toHaveBeenCalled();
  now.balance = 50_000;
  one('.confirm').click();
  await pass(0);
  expect(looks()).toBe(3);
  expect(post).toHaveBeenCalledOnce();
});

test('PP-01 (client) a chip that was chosen meanwhile is not put by the tap before', async () => {
  const { now } = await sit({ balance: 20_000 });
  now.balance = 200_000;
  tap('banker');
  one('.chips [role=radio]').click();
  await pass(0);
  expect(one('[data-spot=banker]').dataset['mine']).toBe('none');
});
