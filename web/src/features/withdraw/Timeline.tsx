import { useLingui } from '@lingui/react/macro';

import type { Withdrawal, WithdrawalStatus } from '../../api/withdrawals.ts';
import { formatClock, formatShortDay } from '../../lib/dates.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.ts';
import { stagesOf, type Stage, type StageName } from './stages.ts';

import styles from './WithdrawalProgress.module.css';

const marks: Record<Stage['state'], IconName> = {
  done: 'check-bold',
  now: 'clock-countdown-fill',
  failed: 'x-bold',
  later: 'clock',
};

/** The steps of a withdrawal with their times. */
export function Timeline({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t, i18n } = useLingui();
  const account = `${withdrawal.bank} •••• ${withdrawal.lastFour}`;
  const names: Record<StageName, { title: string; text: string }> = {
    requested: { title: t`Requested`, text: t`Confirmed with your payment password` },
    check: { title: t`Review`, text: t`People check every withdrawal` },
    sent: { title: t`Sent to the bank`, text: t`The payment is on its way` },
    paid: { title: t`Paid out`, text: account },
  };
  const ends: Partial<Record<WithdrawalStatus, string>> = {
    REFUSED: t`Refused`,
    FAILED: t`Payment failed`,
  };
  return (
    <ol className={styles.timeline} aria-label={t`Steps`}>
      {stagesOf(withdrawal).map(({ name, state, at }) => (
        <li
          key={name}
          className={styles.stage}
          data-state={state}
          aria-current={state === 'now' ? 'step' : undefined}
        >
          <span className={styles.mark}>
            <Icon name={marks[state]} size={16} />
          </span>
          <div className={styles.words}>
            <p className={styles.stageTitle}>
              {state === 'failed' ? ends[withdrawal.status] : names[name].title}
            </p>
            <p dir="auto" className={styles.note}>
              {names[name].text}
            </p>
          </div>
          {at !== undefined && (
            <time className={styles.time} dateTime={new Date(at).toISOString()}>
              <span>{formatClock(at, i18n.locale)}</span>
              <span>{formatShortDay(at, i18n.locale)}</span>
            </time>
          )}
        </li>
      ))}
    </ol>
  );
}
