import { useLingui } from '@lingui/react/macro';

import { useCurrencyOf } from '../../api/amounts.ts';
import type { RoundProof } from '../../api/fairness.ts';
import { artUrl } from '../../lib/art.ts';
import { formatTime } from '../../lib/dates.ts';
import { Amount } from '../../ui/Amount.tsx';
import { Thumb } from '../../ui/display/Thumb.tsx';
import { RoundDraws } from './RoundDraws.tsx';

import styles from './FairnessScreen.module.css';

export function RoundCard({ round }: { round: RoundProof }) {
  const { t, i18n } = useLingui();
  const { currency } = useCurrencyOf(round.currency);
  return (
    <>
      <section className={styles.round}>
        <Thumb
          art={artUrl(`tiles/${encodeURIComponent(round.gameId)}.webp`)}
          width={44}
          height={44}
          className={styles.tile}
        />
        <div className={styles.words}>
          <p className={styles.name}>
            <bdi>{round.gameName}</bdi> · <bdi dir="ltr">#{round.nonce}</bdi>
          </p>
          <p className={styles.detail}>
            {formatTime(round.at, i18n.locale)} ·{' '}
            <span className={styles.part}>
              {t`Stake`} <Amount value={round.stake} currency={currency} /> ·
            </span>{' '}
            <span className={styles.part}>
              {t`Paid`} <Amount value={round.win} currency={currency} />
            </span>
          </p>
        </div>
      </section>
      <RoundDraws vendor={round.vendor} roundId={round.roundId} />
    </>
  );
}
