import { expect, test } from 'vitest';

import { orderProblem } from './limits.ts';

const ticket = { lines: 1, multiple: 1 };
const times = <T>(count: number, value: T) => Array.from({ length: count }, () => value);
const once = { count: 1, multiplier: 1 };

test.each([
  ['100 bets on 10 draws', times(100, ticket), { ...once, count: 10 }, undefined],
  ['100 bets on 11 draws', times(100, ticket), { ...once, count: 11 }, 'bets'],
  ['20,000 lines', times(20, { ...ticket, lines: 1000 }), once, undefined],
  ['20,001 lines', [ticket, ...times(20, { ...ticket, lines: 1000 })], once, 'lines'],
  ['4,999 doubled', [{ lines: 1, multiple: 4999 }], { count: 2, multiplier: 2 }, undefined],
  ['5,000 doubled', [{ lines: 1, multiple: 5000 }], { count: 2, multiplier: 2 }, 'multiple'],
  ['a long chase', [ticket], { count: 100, multiplier: 10 }, 'multiple'],
])('the size of an order: %s', (_, tickets, chase, kind) => {
  expect(orderProblem(tickets, chase)?.kind).toBe(kind);
});
