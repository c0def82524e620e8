import { useLingui } from '@lingui/react/macro';
import { useEffect, type RefObject } from 'react';

import type { Break } from '../../api/limits.ts';
import { cx } from '../../lib/cx.ts';
import { formatTime } from '../../lib/dates.ts';
import { Link } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Icon } from '../../ui/Icon.tsx';

import styles from './card.module.css';

export type OnBreakProps = {
  activeBreak: Break;
  heading: RefObject<HTMLHeadingElement | null>;
  /** The break has just begun here, so its heading receives the focus. */
  begun: boolean;
};

/** Shows the active break, its end and what is still possible. */
export function OnBreak({ activeBreak, heading, begun }: OnBreakProps) {
  const { t, i18n } = useLingui();
  const until = activeBreak.until === null ? '' : formatTime(activeBreak.until, i18n.locale);
  useEffect(() => {
    if (!begun) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'center' });
  }, [begun, heading]);
  return (
    <section role="status" className={cx(styles.card, styles.grave)}>
      <div className={styles.head}>
        <span className={cx(styles.mark, styles.restMark)}>
          <Icon name="coffee-fill" />
        </span>
        <div className={styles.words}>
          <h2 ref={heading} tabIndex={-1} className={styles.name}>
            {until
              ? activeBreak.kind === 'exclusion'
                ? t`You have excluded yourself until ${until}`
                : t`You are on a break until ${until}`
              : t`You have excluded yourself for life`}
          </h2>
          <p className={styles.sub}>
            {t`Bets, deposits and promotions are closed. Your balance is yours: you can withdraw it.`}
          </p>
        </div>
      </div>
      <Link
        to="/m/withdraw"
        className={buttonClass({ variant: 'secondary', size: 'md', full: true })}
      >
        {t`Withdraw`}
      </Link>
    </section>
  );
}
