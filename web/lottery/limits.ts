// The limits of an order. The server has the same ones (internal/game/lottery/order.go).
import type { Ticket } from './cart.ts';
import { maxMultiple } from './paste.ts';
import type { Chase } from './wire.ts';

/** Bets on all draws of a chase together. */
const maxBets = 1000;
/** Lines on all draws of a chase together. */
const maxLines = 20_000;

export type OrderProblem =
  | { kind: 'bets' | 'lines'; max: number; count: number }
  | { kind: 'multiple'; max: number };

/** Returns why the server would refuse an order because of its size, or null. */
export function orderProblem(
  tickets: readonly Pick<Ticket, 'lines' | 'multiple'>[],
  { count, multiplier }: Pick<Chase, 'count' | 'multiplier'>,
): OrderProblem | null {
  const bets = tickets.length * count;
  if (bets > maxBets) return { kind: 'bets', max: maxBets, count: bets };
  const lines = tickets.reduce((sum, ticket) => sum + ticket.lines, 0) * count;
  if (lines > maxLines) return { kind: 'lines', max: maxLines, count: lines };
  const highest = Math.max(0, ...tickets.map(({ multiple }) => multiple));
  if (highest * multiplier ** (count - 1) > maxMultiple)
    return { kind: 'multiple', max: maxMultiple };
  return null;
}
