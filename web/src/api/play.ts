import { queryOptions } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { memberKey } from './member.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];

/** The game to start, from the URL of the play screen. */
export type GameChoice = {
  gameCategory: string;
  vendor: string;
  gameId: string;
  nodeId: string;
  supportPlay: boolean;
};

/** A started game. Its origin is empty for the House's own games. */
export type Launch = Omit<Schemas['VendorLaunched'], 'content'>;

/** A member's session at one game. Amounts are in the currency's unit, times in Unix milliseconds of the server's clock. */
export type Play = Schemas['VendorSitting'];

export const launchGame = (body: GameChoice): Promise<Launch> =>
  value(client.POST('/wps/game/launchGame', { body }));

export const playQuery = (playId: string) =>
  queryOptions({
    queryKey: [...memberKey, 'play', playId],
    queryFn: async (): Promise<Play & { readAt: number }> => ({
      ...(await value(client.GET('/wps/game/play', { params: { query: { playId } } }))),
      readAt: Date.now(),
    }),
  });

/** Ends a play session. An open round is still settled. */
export const closePlay = (playId: string): Promise<unknown> =>
  value(client.DELETE('/wps/game/play', { params: { query: { playId } } }));
