import { useLingui } from '@lingui/react/macro';

import { cx } from '../../lib/cx.ts';
import type { SeriesCheck } from '../../lib/fairness-chain.ts';
import type { BrokenPromise } from '../../lib/round-promise.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { Verdict } from './verify.ts';

import styles from './Status.module.css';

export type StatusProps = {
  verdict: Verdict | null;
  engineFailed: boolean;
  /** Null if the seed has no series. */
  seriesCheck: SeriesCheck | 'pending' | null;
  /** How the round differs from what this browser had before the spin; null if it does not, or is unknown. */
  broken: BrokenPromise | null;
  nonce: string;
};

export function Status({ verdict, engineFailed, seriesCheck, broken, nonce }: StatusProps) {
  const { t } = useLingui();
  const isOfSeries = seriesCheck !== 'wrongEnd' && seriesCheck !== 'wrongSalt';
  const matches =
    verdict !== null &&
    verdict.commitmentMatches &&
    verdict.matchesRound !== false &&
    isOfSeries &&
    broken === null;

  function explanation(): string {
    if (!verdict) {
      return engineFailed
        ? t`The rules of the game could not be loaded.`
        : t`Enter the values of a round, and see what they give.`;
    }
    if (broken === 'commitment')
      return t`Round ${nonce} does not match the promise that the server made before the spin. Its result is not proven fair.`;
    if (broken === 'clientSeed')
      return t`Round ${nonce} used another client seed than this browser sent. If you did not change your seed in another window, its result is not proven fair.`;
    if (!verdict.commitmentMatches) return t`The seed is not the one that was promised.`;
    if (!isOfSeries) return t`The seed is not of the published series.`;
    if (verdict.matchesRound === false)
      return t`The seed is the one that was promised, but it gives another result than the round shows.`;
    return verdict.matchesRound
      ? t`Worked out again, it gives the round that was played, and the seed is the one promised before.`
      : t`The seed is the one that was promised. Compare what came below with your round.`;
  }

  return (
    <section
      role="status"
      data-verdict={verdict ? (matches ? 'match' : 'mismatch') : 'none'}
      className={cx(styles.status, verdict && (matches ? styles.good : styles.bad))}
    >
      <span className={styles.disc}>
        <Icon name={verdict && !matches ? 'shield-warning-fill' : 'shield-check-fill'} size={36} />
      </span>
      <div>
        <p className={styles.word}>
          {verdict ? (matches ? t`MATCH` : t`NO MATCH`) : t`Check a result`}
        </p>
        <p className={styles.text}>{explanation()}</p>
        {matches && seriesCheck === 'pending' && <PendingSeries />}
      </div>
    </section>
  );
}

/** Says that a match does not include the series yet. */
export function PendingSeries() {
  const { t } = useLingui();
  return (
    <p className={styles.text}>
      {t`Not checked yet: whether the seed is of the published series. The last step does it.`}
    </p>
  );
}
