import { useLingui } from '@lingui/react/macro';

import { cx } from '../../lib/cx.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { Verdict } from './verify.ts';

import styles from './Status.module.css';

export type StatusProps = { verdict: Verdict | null; engineFailed: boolean };

/** What the check has come to, in a word and a sentence. */
export function Status({ verdict, engineFailed }: StatusProps) {
  const { t } = useLingui();
  const good = verdict !== null && verdict.kept && verdict.same !== false;
  return (
    <section
      role="status"
      data-verdict={verdict ? (good ? 'match' : 'mismatch') : 'none'}
      className={cx(styles.status, verdict && (good ? styles.good : styles.bad))}
    >
      <span className={styles.disc}>
        <Icon name={verdict && !good ? 'shield-warning-fill' : 'shield-check-fill'} size={36} />
      </span>
      <div>
        <p className={styles.word}>
          {verdict ? (good ? t`MATCH` : t`NO MATCH`) : t`Check a result`}
        </p>
        <p className={styles.text}>
          {!verdict
            ? engineFailed
              ? t`The rules of the game could not be loaded.`
              : t`Enter the values of a round, and see what they give.`
            : !verdict.kept
              ? t`The seed is not the one that was promised.`
              : verdict.same === false
                ? t`The seed is the one that was promised, but it gives another result than the round shows.`
                : verdict.same
                  ? t`Worked out again, it gives the round that was played, and the seed is the one promised before.`
                  : t`The seed is the one that was promised. Compare what came below with your round.`}
        </p>
      </div>
    </section>
  );
}
