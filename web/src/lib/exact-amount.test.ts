import { expect, test } from 'vitest';

import { withAmount } from './exact-amount.ts';
import { readAmount } from './typed-amount.ts';

// 2^53 + 1 minor units: the first amount that a number of JavaScript cannot hold.
test.each([
  ['9007199254740993', 0, '9007199254740993'],
  ['9.007.199.254.740.993', 0, '9007199254740993'],
  ['９００７１９９２５４７４０９９３', 0, '9007199254740993'],
  ['90071992547409.93', 2, '90071992547409.93'],
  ['90,071,992,547,409.93', 2, '90071992547409.93'],
  ['９０．０７１．９９２．５４７．４０９，９３', 2, '90071992547409.93'],
])('the amount %j is sent with all its digits', (typed, decimals, sent) => {
  const amount = readAmount(typed, decimals);
  expect(amount).toBe(sent);
  expect(withAmount({ cardId: '7' }, sent).bodySerializer()).toBe(
    `{"cardId":"7","amount":${sent}}`,
  );
  expect(withAmount({}, sent).bodySerializer()).toBe(`{"amount":${sent}}`);
});

test('a text that is not an amount is not sent', () => {
  expect(() => withAmount({}, '1e3')).toThrow(RangeError);
});
