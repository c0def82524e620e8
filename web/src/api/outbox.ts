import { queryOptions } from '@tanstack/react-query';

import { client, value } from './client.ts';
import type { components } from './schema.d.ts';

export type Letter = components['schemas']['NotifyLetter'];

/** How often the messages are looked through while they are looked at. */
const interval = 3_000;

/** The messages that a demo kept to itself, newest first. */
export const outboxQuery = queryOptions({
  queryKey: ['dev', 'outbox'],
  queryFn: () => value(client.GET('/wps/dev/outbox')),
  refetchInterval: interval,
  staleTime: 0,
});
