import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** A rule of check-in, cash back, VIP levels or referrals. Only the field of its kind is set. */
export type LoyaltyRule = {
  id: string;
  currency: string;
  status: 'on' | 'off';
  enabled: boolean;
  version: number;
  /** The edit that waits for a second person. */
  approval?: { id: string; state: string };
  checkIn?: { amounts: number[] };
  cashBack?: { every: 'day' | 'week'; rates: Record<string, number>; min: number; max: number };
  vip?: { days: number; levels: { turnover: number; reward: number; percent: number }[] };
  referral?: { reward: number; deposit: number; turnover: number; days: number; most: number };
};

export const loyaltyLabels: Record<string, MessageDescriptor> = {
  check_in: msg`Check-in`,
  cash_back: msg`Cash back`,
  vip: msg`VIP`,
  referral: msg`Invitations`,
};
