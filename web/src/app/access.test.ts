import { expect, test } from 'vitest';

import type { Session } from '../api/session.ts';
import { accessTo } from './access.ts';
import { findRoute } from './routes.ts';

const session = (type: number): Session => ({
  token: 't',
  type,
  userName: 'u',
  merchantCode: 'm',
  firstTimeLogin: false,
});

test.each([
  ['/m/home', null, 'open'],
  ['/m/home', session(4), 'open'],
  ['/m/gameRecord', null, 'login'],
  ['/m/gameRecord', session(4), 'open'],
  ['/m/gameRecord', session(0), 'open'],
  ['/m/withdraw', null, 'login'],
  ['/m/withdraw', session(4), 'refused'],
  ['/m/withdraw', session(40), 'refused'],
  ['/m/withdraw', session(41), 'refused'],
  ['/m/withdraw', session(42), 'refused'],
  ['/m/withdraw', session(0), 'open'],
  ['/m/withdraw', session(1), 'open'],
  ['/m/withdraw', session(2), 'open'],
  ['/m/chat', null, 'open'],
  ['/m/chat', session(4), 'refused'],
])('RO-08 app part: %s for %j is %s', (path, who, access) => {
  expect(accessTo(findRoute(path), who)).toBe(access);
});

const memberPaths = ['/m/launchGame', '/m/voucherCenter', '/m/withdraw', '/m/webEmail', '/m/chat'];

test.each([0, 1, 2])(
  'RO-02 app part: type %i may launch games, deposit, withdraw, read messages and chat',
  (type) => {
    expect(memberPaths.map((path) => accessTo(findRoute(path), session(type)))).toEqual(
      memberPaths.map(() => 'open'),
    );
  },
);
