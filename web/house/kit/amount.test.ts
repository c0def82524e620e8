// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { amountsIn } from './amount.ts';
import { speak } from './language.ts';

const dong = { code: 'VND', symbol: '₫', position: 'B', pattern: '#,##0' } as const;

test.each(['vi', 'en', 'pt'])('an amount stands bare in %s', async (language) => {
  await speak(language);
  const { money, net } = amountsIn(dong);
  expect(money(52_500)).toMatch(/^52[.,]500\s₫$/);
  expect(net(-52_500)).toMatch(/^-52[.,]500\s₫$/);
});

test('amid words that run from right to left an amount keeps its sign and its symbol where they belong', async () => {
  await speak('ur');
  const { money, net } = amountsIn(dong);
  expect(money(52_500)).toMatch(/^\u206652,500\s₫\u2069$/);
  expect(net(-52_500)).toMatch(/^\u2066-52,500\s₫\u2069$/);
});
