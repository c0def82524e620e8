// Sends an order. An order without a response is sent again with the same id, so it takes effect once.
import { errorOfThrown } from '../src/i18n/api-error.ts';
import { isOutcomeUnknown, lottery } from './api.ts';
import { betOf, clearCart, useCart } from './cart.ts';
import { saveLastOrder } from './saved.ts';
import type { OrderRequest, PlacedOrder } from './wire.ts';

const retryDelaysMs = [1000, 2000, 4000, 8000];

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export type OrderTarget = { numero: string; prizeMode: string };

/** Builds an order from the cart. An order without a response is sent again unchanged, also if the price list has changed. */
function orderOf({ numero, prizeMode }: OrderTarget): OrderRequest {
  const { gameId, tickets, chase, pending } = useCart.getState();
  if (pending) return pending;
  return {
    requestId: crypto.randomUUID(),
    gameId,
    numero,
    playType: tickets.some(({ playType }) => playType === 'trad') ? 'trad' : 'ent',
    prizeMode,
    bets: tickets.map(betOf),
    ...(chase.count > 1 && { chase }),
  };
}

/** Codes of errors about the order. Other errors, such as a rate limit, occur before the server reads the order. */
const orderRefusal = /^(?:lottery|limits|ledger|idempotency)\./;

/** Sends the cart. If the last retry gets no response, it throws, and the order stays pending. */
export async function placeOrder(
  target: OrderTarget,
  delays: readonly number[] = retryDelaysMs,
): Promise<PlacedOrder> {
  let mayBePlaced = useCart.getState().pending !== null;
  const order = orderOf(target);
  useCart.setState({ pending: order });
  for (let attempt = 0; ; attempt += 1) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- each attempt depends on the one before
      const placed = await lottery.bet(order);
      const { gameId, tickets } = useCart.getState();
      saveLastOrder(gameId, tickets);
      clearCart();
      return placed;
    } catch (thrown) {
      const isUnknown = isOutcomeUnknown(thrown);
      mayBePlaced ||= isUnknown;
      if (!mayBePlaced || orderRefusal.test(errorOfThrown(thrown).code))
        useCart.setState({ pending: null });
      const delay = delays[attempt];
      if (!isUnknown || delay === undefined) throw thrown;
      // oxlint-disable-next-line no-await-in-loop -- waits between attempts
      await wait(delay);
    }
  }
}
