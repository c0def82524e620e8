import { queryOptions } from '@tanstack/react-query';

import { withAmount } from '../lib/exact-amount.ts';
import { client, value } from './client.ts';
import { memberKey } from './member.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];

/** A member's limits, reminders and break. Amounts are in the currency's unit. Null means no limit. */
export type Limits = Schemas['LimitsStateReply'];
export type Limit = Schemas['LimitsLimitReply'];
export type LimitKind = Limit['kind'];
export type LimitPeriod = Limit['period'];

/** A break from play. A lifetime break has no end. */
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
  queryKey: [...memberKey, 'limits'],
  queryFn: (): Promise<Limits> => value(client.GET('/wps/member/limits')),
});

type LimitKey = { kind: LimitKind; period: LimitPeriod };

/** Sets a limit, or removes it if the amount is null. */
export const setLimit = ({ amount, ...limit }: LimitKey & { amount: string | null }) =>
  value(
    client.PUT(
      '/wps/member/limits',
      amount === null ? { body: { ...limit, amount } } : withAmount(limit, amount),
    ),
  );

export const confirmLimit = ({ kind, period }: LimitKey) =>
  value(client.POST('/wps/member/limits/confirm', { body: { kind, period } }));

export const withdrawRaise = ({ kind, period }: LimitKey) =>
  value(client.DELETE('/wps/member/limits/pending', { params: { query: { kind, period } } }));

export const setRealityCheck = (minutes: number | null) =>
  value(client.PUT('/wps/member/limits/realityCheck', { body: { minutes } }));

export const acknowledgeCheck = (playId: string) =>
  value(client.POST('/wps/member/limits/realityCheck/acknowledge', { body: { playId } }));

export const takeBreak = (period: BreakPeriod) =>
  value(client.POST('/wps/member/limits/break', { body: { period } }));
