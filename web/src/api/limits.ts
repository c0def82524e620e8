import { queryOptions } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { ownKey } from './member.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];

/** What bounds a member: limits, reminders, a break. Amounts in the currency's unit; none is null. */
export type Limits = Schemas['LimitsStateReply'];
export type Limit = Schemas['LimitsLimitReply'];
export type LimitKind = Limit['kind'];
export type LimitPeriod = Limit['period'];

/** A time without play; one for life has no end. */
export type Break = Schemas['LimitsBreakReply'];
export type BreakPeriod = Break['period'];

export const limitKinds = ['deposit', 'loss', 'stake'] as const satisfies readonly LimitKind[];
export const limitPeriods = ['day', 'week', 'month'] as const satisfies readonly LimitPeriod[];
export const timeOuts = ['24h', '1w', '1m', '6w'] as const satisfies readonly BreakPeriod[];
export const exclusions = [
  '6M',
  '1y',
  '3y',
  '5y',
  'life',
] as const satisfies readonly BreakPeriod[];

export const limitsQuery = queryOptions({
  queryKey: [...ownKey, 'limits'],
  queryFn: (): Promise<Limits> => value(client.GET('/wps/member/limits')),
});

type Which = { kind: LimitKind; period: LimitPeriod };

export const setLimit = (body: Which & { amount: number | null }) =>
  value(client.PUT('/wps/member/limits', { body }));

export const confirmLimit = ({ kind, period }: Which) =>
  value(client.POST('/wps/member/limits/confirm', { body: { kind, period } }));

export const withdrawRaise = ({ kind, period }: Which) =>
  value(client.DELETE('/wps/member/limits/pending', { params: { query: { kind, period } } }));

export const setRealityCheck = (minutes: number | null) =>
  value(client.PUT('/wps/member/limits/realityCheck', { body: { minutes } }));

export const acknowledgeCheck = (playId: string) =>
  value(client.POST('/wps/member/limits/realityCheck/acknowledge', { body: { playId } }));

export const takeBreak = (period: BreakPeriod) =>
  value(client.POST('/wps/member/limits/break', { body: { period } }));
