import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import type { Machine } from '../lib/fairness-machine.ts';
import { client, value } from './client.ts';
import { memberKey } from './member.ts';
import type { components } from './schema.d.ts';

/** A round with the data of its proof. The seed is published once the round is settled. */
export type RoundProof = components['schemas']['HouseProofReply'];

/** The seed commitment of the member's next round at the House. */
export const nextSeedQuery = queryOptions({
  queryKey: [...memberKey, 'fairness', 'seed'],
  queryFn: () => value(client.GET('/wps/fairness/seed')),
});

export const changeClientSeed = (clientSeed: string) =>
  value(client.PUT('/wps/fairness/seed', { body: { clientSeed } }));

export const roundProofQuery = (language: Language, vendor: string, roundId: string) =>
  queryOptions({
    queryKey: [...memberKey, 'fairness', 'round', language, vendor, roundId],
    queryFn: (): Promise<RoundProof> =>
      value(client.GET('/wps/fairness/round', { params: { query: { vendor, roundId } } })),
    placeholderData: keepPreviousData,
  });

/** The strips, lines and pays of a game; the current version if none is named. A version never changes. */
export const engineQuery = (name: string, version = 0) =>
  queryOptions({
    queryKey: ['fairness', 'engine', name, version],
    queryFn: (): Promise<Machine> =>
      value(client.GET('/wps/fairness/engine', { params: { query: { name, version } } })),
    staleTime: Infinity,
  });

/** The spots of a table and their pays. A version never changes. */
export const tableEngineQuery = (name: string, version = 0) =>
  queryOptions({
    queryKey: ['fairness', 'table', name, version],
    queryFn: () =>
      value(client.GET('/wps/fairness/table', { params: { query: { name, version } } })),
    staleTime: Infinity,
  });

/** What the seeds of a chain are for. */
export type SeriesKind = 'table' | 'jackpot' | 'lottery';

/** The published chains of seeds, by kind. */
export const seriesQuery = (kind: SeriesKind) =>
  queryOptions({
    queryKey: ['fairness', 'series', kind],
    queryFn: () => value(client.GET('/wps/fairness/series', { params: { query: { kind } } })),
  });

/** One published chain of seeds. */
export const oneSeriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['fairness', 'oneSeries', id],
    queryFn: () => value(client.GET('/wps/fairness/oneSeries', { params: { query: { id } } })),
  });

/** The live tables with the counts of their finished rounds. */
export const tablesQuery = queryOptions({
  queryKey: ['fairness', 'tables'],
  queryFn: () => value(client.GET('/wps/fairness/tables')),
});

/** Finished rounds of a table, the newest first; those before a number, or the last ones for 0. */
export const tableRoundsQuery = (table: string, before: number) =>
  queryOptions({
    queryKey: ['fairness', 'tableRounds', table, before],
    queryFn: () =>
      value(client.GET('/wps/fairness/tableRounds', { params: { query: { table, before } } })),
    placeholderData: keepPreviousData,
  });

/** Returns the address of a round's proof, or of the next round's commitment without a round. */
export function proofPath(vendor?: string, roundId?: string): string {
  const query = new URLSearchParams({
    ...(vendor && { vendor }),
    ...(vendor && roundId && { roundId }),
  });
  const text = query.toString();
  return text ? `/m/fairness?${text}` : '/m/fairness';
}
