import type { components } from '../../api/schema.d.ts';

export type Series = components['schemas']['SeriesReply'];

/** Names the public value of a series: of a beacon by its chain and its round. */
export function publicValueOf({ source, detail }: Series): string {
  const [chain = '', round = ''] = detail.split('/');
  return source === 'beacon' ? `drand ${chain.slice(0, 8)}… #${round}` : detail;
}
