import { queryOptions } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { ownKey } from './member.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];

/** Which game is to be started, as its address says. */
export type GameChoice = {
  gameCategory: string;
  vendor: string;
  gameId: string;
  nodeId: string;
  supportPlay: boolean;
};

/** A game that has been started: where it is shown, and how. Its origin is empty where it is the House's own. */
export type Launch = Omit<Schemas['VendorLaunched'], 'content'>;

/** A sitting at one game. Amounts in the currency's unit, times in unix milliseconds by the server's clock. */
export type Play = Schemas['VendorSitting'];

export const launchGame = (body: GameChoice): Promise<Launch> =>
  value(client.POST('/wps/game/launchGame', { body }));

export const playQuery = (playId: string) =>
  queryOptions({
    queryKey: [...ownKey, 'play', playId],
    queryFn: async (): Promise<Play & { readAt: number }> => ({
      ...(await value(client.GET('/wps/game/play', { params: { query: { playId } } }))),
      readAt: Date.now(),
    }),
  });

/** Ends a sitting. A round that runs is settled all the same. */
export const closePlay = (playId: string): Promise<unknown> =>
  value(client.DELETE('/wps/game/play', { params: { query: { playId } } }));
