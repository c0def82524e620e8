// Requests to the lottery's API.
import { i18n } from '@lingui/core';

import { ApiError, errorOfResponse, errorOfThrown } from '../src/i18n/api-error.ts';
import type { PublishedSeries } from '../src/lib/fairness-chain.ts';
import type {
  BetState,
  Draw,
  Game,
  GameGroup,
  Numero,
  Order,
  OrderRequest,
  Page,
  PlacedOrder,
  Play,
  PlayType,
  Prizes,
  Series,
  Session,
  Stats,
} from './wire.ts';

const requestTimeoutMs = 15_000;

let merchant = '';
let session = '';

/** Sets the merchant of all later requests. */
export function setMerchant(code: string): void {
  merchant = code;
}

/** Sets the session of all later requests. */
export function setSession(token: string): void {
  session = token;
}

let onExpired = (): void => {};

/** Sets a function to call when the server has ended the session. */
export function setOnExpired(report: () => void): void {
  onExpired = report;
}

const commonHeaders = (): Record<string, string> => ({
  Language: i18n.locale.toUpperCase(),
  Device: 'MOBILE',
  ...(merchant && { Merchant: merchant }),
});

function call<T>(method: string, path: string, body?: object): Promise<T> {
  const headers: Record<string, string> = {
    ...commonHeaders(),
    ...(session && { Authorization: session }),
    ...(body && { 'Content-Type': 'application/json' }),
  };
  return send(`/lgw/${path}`, method, headers, body);
}

async function send<T>(
  address: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
): Promise<T> {
  try {
    const response = await fetch(address, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
      cache: 'no-store',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const content: unknown = await response.json().catch(() => null);
    if (!response.ok) throw errorOfResponse(response, content);
    if (content === null) throw new ApiError('system.error', 0);
    return content as T;
  } catch (thrown) {
    const error = errorOfThrown(thrown);
    if (error.endsSession && session) {
      session = ''; // so that the end is reported once
      onExpired();
    }
    throw error;
  }
}

const withQuery = (
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string => {
  const search = new URLSearchParams();
  for (const [name, text] of Object.entries(query)) {
    if (text !== undefined && text !== '') search.set(name, String(text));
  }
  return `${path}?${search.toString()}`;
};

export const lottery = {
  openSession: (token: string) => call<Session>('POST', 'session', { token }),
  games: () => call<Game[]>('GET', 'games'),
  groups: () => call<GameGroup[]>('GET', 'games/game_menus'),
  plays: (gameId: string, playType: PlayType, prizeMode: string) =>
    call<Play[]>('GET', withQuery(`games/${gameId}/play_menu`, { playType, prizeMode })),
  /** The game's current numero. After a draw, this is the next one. */
  near: (gameId: string) => call<Numero>('GET', withQuery('numeros/near', { gameId })),
  draws: (gameId: string, cursor: string, pageSize: number) =>
    call<Page<Draw>>('GET', withQuery(`draw/${gameId}`, { cursor, pageSize })),
  series: (series: string) => call<Series>('GET', `series/${series}`),
  /** The series in the list of all series. Returns null for a series of an older version, which is not in the list. */
  publishedSeries: async (series: string): Promise<PublishedSeries | null> => {
    const address = `/wps/fairness/oneSeries?id=${encodeURIComponent(series)}`;
    try {
      const { value } = await send<{ value: PublishedSeries }>(address, 'GET', commonHeaders());
      return value;
    } catch (thrown) {
      if (errorOfThrown(thrown).status === 404) return null;
      throw thrown;
    }
  },
  prizes: (gameId: string, numero?: string) =>
    call<Prizes>('GET', withQuery('vn/numeros/opened/game', { gameId, numero })),
  stats: (gameId: string, playCode: string) =>
    call<Stats>('GET', withQuery(`games/${gameId}/stats`, { playCode })),
  bet: (order: OrderRequest) => call<PlacedOrder>('POST', 'orders/betting', order),
  orders: (filter: { gameId: string; state?: BetState | undefined; cursor: string }) =>
    call<Page<Order>>('GET', withQuery('orders', { ...filter, pageSize: 20 })),
  order: (id: string) => call<Order>('GET', `orders/${id}`),
  cancel: (id: string) => call<{ returned: number; balance: number }>('DELETE', `orders/${id}`),
};

/** Reports whether a request may have taken effect although it failed. */
export const isOutcomeUnknown = (thrown: unknown): boolean => {
  const { status } = errorOfThrown(thrown);
  return status === 0 || status >= 500;
};
