// Decimal arithmetic for odds and chances: 20 places, rounded towards zero, so that a return is never shown too high.
import { BigNumber } from 'bignumber.js';

export const Decimal = BigNumber.clone({
  DECIMAL_PLACES: 20,
  ROUNDING_MODE: BigNumber.ROUND_DOWN,
});
