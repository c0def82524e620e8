// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { amountFormatter } from './amount-formatter.ts';
import { setLanguage } from './language.ts';

const dong = { code: 'VND', symbol: '₫', position: 'B', pattern: '#,##0' } as const;

test.each(['vi', 'en', 'pt'])('an amount has no isolation characters in %s', async (language) => {
  await setLanguage(language);
  const { money, net } = amountFormatter(dong);
  expect(money(52_500)).toMatch(/^52[.,]500\s₫$/);
  expect(net(-52_500)).toMatch(/^-52[.,]500\s₫$/);
});

test('in right-to-left text an amount keeps the order of sign and symbol', async () => {
  await setLanguage('ur');
  const { money, net } = amountFormatter(dong);
  expect(money(52_500)).toMatch(/^\u206652,500\s₫\u2069$/);
  expect(net(-52_500)).toMatch(/^\u2066-52,500\s₫\u2069$/);
});
