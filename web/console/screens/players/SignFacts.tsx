import { useLingui } from '@lingui/react/macro';

import { formatMoney } from '../../format.ts';
import { limitLabels, periodLabels } from './labels.ts';

/** A sign of risky play with its figures. Amounts are in the unit of the currency. */
export type SignKind =
  | {
      kind: 'raise';
      /** `to` is 0 if the member asked to remove the limit. */
      facts: { kind: string; period: string; currency: string; from: number; to: number };
    }
  | {
      kind: 'chase';
      facts: { currency: string; deposits: number; deposited: number; lost: number };
    }
  | { kind: 'night'; facts: { nights: number } };

/** The figures of a sign as a sentence. The server counts chased losses in 24 hours and nights in 7 days. */
export function SignFacts({ sign }: { sign: SignKind }) {
  const { t, i18n } = useLingui();
  if (sign.kind === 'night') return t`Played in ${sign.facts.nights} nights of the last 7 days`;
  const money = (amount: number): string => formatMoney(amount, sign.facts.currency);
  if (sign.kind === 'chase') {
    const { deposits, deposited, lost } = sign.facts;
    return t`Deposited ${deposits} times after losses. In 24 hours: ${money(deposited)} deposited, ${money(lost)} lost`;
  }
  const { kind, period, from, to } = sign.facts;
  const limit = limitLabels[kind];
  const window = periodLabels[period];
  const name = [limit ? i18n._(limit) : kind, window ? i18n._(window) : period].join(', ');
  return to > 0
    ? t`${name}: from ${money(from)} to ${money(to)}`
    : t`${name}: from ${money(from)} to no limit`;
}
