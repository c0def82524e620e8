import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import type { Machine } from '../lib/fairness-machine.ts';
import { client, value } from './client.ts';
import { ownKey } from './member.ts';
import type { components } from './schema.d.ts';

/** A round with all that its proof needs. The seed is known once the round is settled. */
export type RoundProof = components['schemas']['HouseProofShown'];

/** What the member's next round at the House will be drawn from. */
export const nextSeedQuery = queryOptions({
  queryKey: [...ownKey, 'fairness', 'seed'],
  queryFn: () => value(client.GET('/wps/fairness/seed')),
});

export const changeClientSeed = (clientSeed: string) =>
  value(client.PUT('/wps/fairness/seed', { body: { clientSeed } }));

/** The server names the game in the language of the call, which the client sends with each. */
export const roundProofQuery = (language: Language, vendor: string, roundId: string) =>
  queryOptions({
    queryKey: [...ownKey, 'fairness', 'round', language, vendor, roundId],
    queryFn: (): Promise<RoundProof> =>
      value(client.GET('/wps/fairness/round', { params: { query: { vendor, roundId } } })),
    placeholderData: keepPreviousData,
  });

/** A game's strips, lines and pays, as data: of the version that is played where none is named. They never change within one. */
export const engineQuery = (name: string, version = 0) =>
  queryOptions({
    queryKey: ['fairness', 'engine', name, version],
    queryFn: (): Promise<Machine> =>
      value(client.GET('/wps/fairness/engine', { params: { query: { name, version } } })),
    staleTime: Infinity,
  });

/** A table's spots and what they pay, as data. They never change within a version. */
export const tableEngineQuery = (name: string, version = 0) =>
  queryOptions({
    queryKey: ['fairness', 'table', name, version],
    queryFn: () =>
      value(client.GET('/wps/fairness/table', { params: { query: { name, version } } })),
    staleTime: Infinity,
  });

/** Where a round is checked; without one, what the next round will be drawn from. */
export function proofPath(vendor?: string, roundId?: string): string {
  const query = new URLSearchParams({
    ...(vendor && { vendor }),
    ...(vendor && roundId && { roundId }),
  });
  const text = query.toString();
  return text ? `/m/fairness?${text}` : '/m/fairness';
}
