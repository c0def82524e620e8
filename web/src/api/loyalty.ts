import { queryOptions } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { memberKey } from './member.ts';

const readCheckIn = (month: string) =>
  value(client.GET('/wps/checkIn', { params: { query: { month } } }));
const readRebate = () => value(client.GET('/wps/rebate'));
const readRank = () => value(client.GET('/wps/relay/MCSFE_getPlayerRankProgress'));
const readReferrals = () => value(client.GET('/wps/relay/MCSFE_getReferralDetails'));

/** Amounts are in the currency's unit. Days are in the site's time zone. */
export type CheckIn = Awaited<ReturnType<typeof readCheckIn>>;
export type Rebate = Awaited<ReturnType<typeof readRebate>>;
export type Rank = Awaited<ReturnType<typeof readRank>>;
export type Referrals = Awaited<ReturnType<typeof readReferrals>>;

export const checkInKey = [...memberKey, 'checkIn'] as const;
export const rebateKey = [...memberKey, 'rebate'] as const;

/** A member's check-in with the calendar of a month, YYYY-MM. An empty month is the current one. */
export const checkInQuery = (month: string) =>
  queryOptions({ queryKey: [...checkInKey, month], queryFn: () => readCheckIn(month) });

export const rebateQuery = queryOptions({ queryKey: rebateKey, queryFn: readRebate });
export const rankQuery = queryOptions({ queryKey: [...memberKey, 'rank'], queryFn: readRank });
export const referralsQuery = queryOptions({
  queryKey: [...memberKey, 'referrals'],
  queryFn: readReferrals,
});

export const doCheckIn = (key: string): Promise<CheckIn> =>
  value(client.POST('/wps/checkIn', { params: { header: { 'Idempotency-Key': key } } }));

export const claimRebate = (key: string): Promise<Rebate> =>
  value(client.POST('/wps/rebate/claim', { params: { header: { 'Idempotency-Key': key } } }));
