import { useLingui } from '@lingui/react/macro';

import { cx } from '../../lib/cx.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { Verdict } from './verify.ts';

import styles from './Status.module.css';

export type StatusProps = { verdict: Verdict | null; engineFailed: boolean };

export function Status({ verdict, engineFailed }: StatusProps) {
  const { t } = useLingui();
  const matches = verdict !== null && verdict.commitmentMatches && verdict.matchesRound !== false;
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
        <p className={styles.text}>
          {!verdict
            ? engineFailed
              ? t`The rules of the game could not be loaded.`
              : t`Enter the values of a round, and see what they give.`
            : !verdict.commitmentMatches
              ? t`The seed is not the one that was promised.`
              : verdict.matchesRound === false
                ? t`The seed is the one that was promised, but it gives another result than the round shows.`
                : verdict.matchesRound
                  ? t`Worked out again, it gives the round that was played, and the seed is the one promised before.`
                  : t`The seed is the one that was promised. Compare what came below with your round.`}
        </p>
      </div>
    </section>
  );
}
