// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { requestHeaders } from './client.ts';
import { cashBackFlag } from './switches.gen.ts';
import { switchesQuery, type Switches } from './system.ts';

const answer = { flags: { [cashBackFlag]: true }, modules: {}, promotions: {} };
const switches = (switchesQuery.select as (of: typeof answer) => Switches)(answer);

test('an unknown switch is off and does not compile', () => {
  expect(switches.flag(cashBackFlag)).toBe(true);
  // @ts-expect-error unknown flag
  expect(switches.flag('NOSUCH3')).toBe(false);
  // @ts-expect-error a flag is not a module
  expect(switches.module(cashBackFlag)).toBe(false);
  // @ts-expect-error unknown promotion
  expect(switches.promotion('NOSUCH')).toBe(false);
  // @ts-expect-error unknown module
  expect(requestHeaders('NOSUCH3')).toBeDefined();
});
