import type { components } from '../../api/schema.d.ts';

export type Series = components['schemas']['SeriesReply'];

/** Names the public value of a series: of a beacon by its chain and its round. */
export function publicValueOf({ source, detail }: Series): string {
  const [chain = '', round = ''] = detail.split('/');
  return source === 'beacon' ? `drand ${chain.slice(0, 8)}… #${round}` : detail;
}

/** Returns the series of a name that is in use, or the newest one. The list has the newest first. */
export const shownSeries = (all: readonly Series[]): Series | undefined =>
  all.find(({ state }) => state === 'running') ?? all[0];
