// Exact decimal arithmetic for amounts and odds. Twenty places, rounded towards zero: what a member is owed
// is never shown as more than it is. Heavy, so only screens that calculate import it; formatting is in money.ts.
import { BigNumber } from 'bignumber.js';

export const Decimal = BigNumber.clone({
  DECIMAL_PLACES: 20,
  ROUNDING_MODE: BigNumber.ROUND_DOWN,
});
