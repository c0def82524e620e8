import { queryOptions } from '@tanstack/react-query';

import { client, value } from './client.ts';
import type { components } from './schema.d.ts';

export type Letter = components['schemas']['NotifyLetter'];

const refetchIntervalMs = 3_000;

/** The messages that a demo server stored instead of sending them, newest first. */
export const outboxQuery = queryOptions({
  queryKey: ['dev', 'outbox'],
  queryFn: () => value(client.GET('/wps/dev/outbox')),
  refetchInterval: refetchIntervalMs,
  staleTime: 0,
});
