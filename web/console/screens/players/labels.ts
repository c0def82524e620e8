// Labels of the codes in the records of members.
import { msg } from '@lingui/core/macro';

import type { Labels } from '../../object/Label.tsx';

export const accountLabels: Labels = {
  cash: msg`Cash`,
  held: msg`Reserved`,
  bonus: msg`Bonus`,
};

export const transferLabels: Labels = {
  adjustment: msg`Correction`,
  'bonus.paid': msg`Bonus paid as cash`,
  'bonus.return': msg`Bonus taken back`,
  deposit: msg`Deposit`,
  'deposit.reserve': msg`Deposit reserve`,
  hold: msg`Reservation`,
  'hold.pay': msg`Payout`,
  'hold.release': msg`Reservation released`,
  'jackpot.back': msg`Jackpot share returned`,
  'jackpot.seed': msg`Start of a jackpot`,
  'jackpot.share': msg`Share for the jackpot`,
  'jackpot.win': msg`Jackpot win`,
  'lottery.bet': msg`Lottery bet`,
  'lottery.clawback': msg`Lottery win taken back`,
  'lottery.rebate': msg`Lottery rebate`,
  'lottery.win': msg`Lottery win`,
  reversal: msg`Reversal`,
  reward: msg`Reward`,
  'reward.cash_back': msg`Cash back`,
  'reward.check_in': msg`Check-in`,
  'reward.referral': msg`Invitation`,
  'reward.vip': msg`VIP`,
  trial: msg`Trial balance`,
  'vendor.bet': msg`Bet`,
  'vendor.promo': msg`Vendor promotion`,
  'vendor.win': msg`Win`,
  'wallet.transfer': msg`Transfer between wallets`,
};

export const roundLabels: Labels = {
  open: msg`Open`,
  won: msg`Won`,
  lost: msg`Lost`,
  refunded: msg`Refunded`,
};

export const limitLabels: Labels = {
  deposit: msg`Deposits`,
  loss: msg`Losses`,
  stake: msg`Stakes`,
};

export const periodLabels: Labels = {
  day: msg`Day`,
  week: msg`Week`,
  month: msg`Month`,
  '24h': msg`24 hours`,
  '1w': msg`1 week`,
  '1m': msg`1 month`,
  '6w': msg`6 weeks`,
  '6M': msg`6 months`,
  '1y': msg`1 year`,
  '3y': msg`3 years`,
  '5y': msg`5 years`,
  life: msg`For life`,
};

/** States of a sign of risky play. */
export const signLabels: Labels = {
  new: msg`New`,
  contacted: msg`Contacted`,
  break: msg`On a break`,
  dismissed: msg`Dismissed`,
};

export const sharedLabels: Labels = {
  device: msg`Device`,
  network: msg`Network`,
  number: msg`Number`,
  card: msg`Bank card`,
};
