// The cart with the player's tickets. It survives a reload until the draw closes.
import { create } from 'zustand';

import { serverNow } from './clock.ts';
import { playerStore } from './player-store.ts';
import type { BetRequest, Chase, OrderRequest, Play, PlayType } from './wire.ts';

export type Ticket = {
  id: string;
  playCode: string;
  playType: PlayType;
  selection: string;
  lines: number;
  /** Prizes that can win. A line costs its stake once for each of them. */
  prizes: number;
  stake: number;
  multiple: number;
  odds?: string;
};

export type Cart = {
  gameId: string;
  tickets: readonly Ticket[];
  chase: Chase;
  /** When the numero of the tickets closes. */
  closeTime: number;
  /** The order that was sent and has no response yet. The server accepts the same id only once. */
  pending: OrderRequest | null;
};

export const maxTickets = 100;
export const maxChase = 100;

const noChase: Chase = { count: 1, multiplier: 1, stopOnWin: true };

const emptyCart = (gameId: string): Cart => ({
  gameId,
  tickets: [],
  chase: noChase,
  closeTime: 0,
  pending: null,
});

const key = (gameId: string): string => `cart.${gameId}`;

export const useCart = create<Cart>(() => emptyCart(''));

useCart.subscribe((cart) => {
  if (!cart.gameId) return;
  if (cart.tickets.length === 0) playerStore.remove(key(cart.gameId));
  else playerStore.set(key(cart.gameId), JSON.stringify(cart));
});

/** Opens the cart of a game. It drops stored tickets whose draw has closed, except an order without a response. */
export function openCart(gameId: string): void {
  let stored: Cart | null = null;
  try {
    stored = JSON.parse(playerStore.get(key(gameId)) ?? 'null') as Cart | null;
  } catch {
    // Damaged values are ignored.
  }
  const isUsable = stored?.pending != null || (stored?.closeTime ?? 0) > serverNow();
  useCart.setState(stored && isUsable ? stored : emptyCart(gameId), true);
}

export function addTickets(tickets: readonly Omit<Ticket, 'id'>[], closeTime: number): boolean {
  const { tickets: old, pending } = useCart.getState();
  if (pending || old.length + tickets.length > maxTickets) return false;
  const added = tickets.map((ticket) => ({ ...ticket, id: crypto.randomUUID() }));
  useCart.setState({ tickets: [...old, ...added], closeTime });
  return true;
}

export function changeTicket(
  id: string,
  change: Partial<Pick<Ticket, 'stake' | 'multiple' | 'odds'>>,
): void {
  useCart.setState(({ tickets, pending }) =>
    pending
      ? {}
      : {
          tickets: tickets.map((ticket) => (ticket.id === id ? { ...ticket, ...change } : ticket)),
        },
  );
}

export function removeTicket(id: string): void {
  useCart.setState(({ tickets, pending }) =>
    pending ? {} : { tickets: tickets.filter((ticket) => ticket.id !== id) },
  );
}

export const setChase = (chase: Chase): void =>
  useCart.setState(({ pending }) => (pending ? {} : { chase }));

export const clearCart = (): void => useCart.setState(({ gameId }) => emptyCart(gameId));

/** Updates the odds of the tickets. */
export function renewOdds(plays: readonly Play[]): void {
  const odds = new Map(plays.map((play) => [play.playCode, play.odds]));
  useCart.setState(({ tickets, pending }) =>
    pending
      ? {}
      : {
          tickets: tickets.map(({ odds: old, ...ticket }) => {
            const next = odds.has(ticket.playCode) ? odds.get(ticket.playCode) : old;
            return next === undefined ? ticket : { ...ticket, odds: next };
          }),
        },
  );
}

export const betOf = ({ playCode, selection, stake, multiple, odds }: Ticket): BetRequest => ({
  playCode,
  selection,
  stake,
  multiple,
  ...(odds !== undefined && { odds }),
});
