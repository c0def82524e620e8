import { useLingui } from '@lingui/react/macro';

import { cx } from '../../lib/cx.ts';

import styles from './DepositOrder.module.css';

/** The steps of a deposit. `at` is the number of finished steps. */
export function Steps({ at }: { at: number }) {
  const { t } = useLingui();
  return (
    <ol className={styles.steps}>
      {[t`Created`, t`Payment`, t`Credited`].map((name, i) => (
        <li
          key={name}
          className={cx(styles.step, i < at && styles.done, i === at && styles.now)}
          aria-current={i === at ? 'step' : undefined}
        >
          {name}
        </li>
      ))}
    </ol>
  );
}
