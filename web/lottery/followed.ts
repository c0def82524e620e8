// Orders whose draws are not settled yet. While the page is open, the player is notified of their results.
import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';

import { lottery } from './api.ts';
import { playerStore } from './player-store.ts';
import type { Bet, Draw, Order } from './wire.ts';

type Followed = { orderId: string; gameId: string; numeros: string[] };

const key = 'followed';
const maxFollowed = 20;

function read(): Followed[] {
  try {
    const stored: unknown = JSON.parse(playerStore.get(key) ?? '[]');
    return Array.isArray(stored) ? (stored as Followed[]) : [];
  } catch {
    return [];
  }
}

const useFollowedOrders = create<{ orders: readonly Followed[] }>(() => ({ orders: [] }));

/** Loads the orders that the player follows. */
export const loadFollowed = (): void => useFollowedOrders.setState({ orders: read() });

const store = (orders: readonly Followed[]): void => {
  playerStore.set(key, JSON.stringify(orders));
  useFollowedOrders.setState({ orders });
};

export const follow = (order: Followed): void =>
  store([...useFollowedOrders.getState().orders, order].slice(-maxFollowed));

function unfollow(orderId: string, numero: string): void {
  store(
    useFollowedOrders
      .getState()
      .orders.map((order) =>
        order.orderId === orderId
          ? { ...order, numeros: order.numeros.filter((other) => other !== numero) }
          : order,
      )
      .filter(({ numeros }) => numeros.length > 0),
  );
}

export type Settled = {
  order: Order;
  numero: string;
  bets: Bet[];
  stake: number;
  payout: number;
  /** The draw is void, and the stake was returned. */
  isVoid: boolean;
};

/** Returns the result of an order's bets on a numero, or null while one of them is open. */
function settlementOf(order: Order, numero: string): Settled | null {
  const bets = order.bets.filter((bet) => bet.numero === numero);
  if (bets.some(({ state }) => state === 'open')) return null;
  const played = bets.filter(({ state }) => state === 'won' || state === 'lost');
  return {
    order,
    numero,
    bets,
    stake: played.reduce((sum, { amount }) => sum + amount, 0),
    payout: played.reduce((sum, { payout, rebate }) => sum + payout + rebate, 0),
    isVoid: bets.some(({ state }) => state === 'void'),
  };
}

const pollMs = 1500;
const maxPolls = 40;

/** Calls `onSettled` once for each followed draw of a game, when its bets are settled or void. Cancelled bets have no result. */
export function useSettled(
  gameId: string,
  draws: readonly Draw[] | null,
  onSettled: (settled: Settled) => void,
) {
  const orders = useFollowedOrders((state) => state.orders);
  const report = useEffectEvent(onSettled);
  // Void draws are not in the list. Within a game, draw numbers sort as text.
  const last = draws?.[0]?.numero ?? '';
  const due = orders.flatMap(({ orderId, gameId: game, numeros }) =>
    numeros
      .filter((numero) => game === gameId && numero <= last)
      .map((numero) => ({ orderId, numero })),
  );
  const dueKey = due.map(({ orderId, numero }) => `${orderId} ${numero}`).join();
  const dueNow = useEffectEvent(() => due);

  useEffect(() => {
    if (dueKey === '') return;
    let stopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = async (polls: number): Promise<void> => {
      for (const { orderId, numero } of dueNow()) {
        try {
          // oxlint-disable-next-line no-await-in-loop -- few orders, one after another
          const settled = settlementOf(await lottery.order(orderId), numero);
          if (stopped) return;
          if (!settled) continue;
          unfollow(orderId, numero);
          if (settled.isVoid || settled.stake > 0) report(settled);
        } catch {
          // The next poll tries again.
        }
      }
      if (!stopped && polls < maxPolls) timer = setTimeout(() => void check(polls + 1), pollMs);
    };
    void check(0);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [dueKey]);
}
