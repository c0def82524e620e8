import { useLingui } from '@lingui/react/macro';

import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';

import styles from './Reconnecting.module.css';

export type ReconnectingProps = {
  attempt: number;
  /** Whether a round is in progress. Unknown for games that do not report it. */
  round: 'runs' | 'none' | 'unknown';
  canLeave: boolean;
  onLeave: () => void;
};

export function Reconnecting({ attempt, round, canLeave, onLeave }: ReconnectingProps) {
  const { t } = useLingui();
  const roundTexts = {
    runs: t`If your stake was taken, the server plays the round to its end, and its result is shown here. Nothing is staked twice.`,
    none: t`No round of yours is running. You can play on when the connection is back.`,
    unknown: t`If a round is running, the server plays it to its end, and its result stands in your record.`,
  };
  return (
    <div role="status" className={styles.card}>
      <span className={styles.ring}>
        <Icon name="wifi-slash" />
      </span>
      <div className={styles.words}>
        <p className={styles.title}>{t`Reconnecting… try ${attempt}`}</p>
        <p className={styles.text}>{roundTexts[round]}</p>
        {canLeave && (
          <Button variant="secondary" size="sm" onPress={onLeave}>
            {t`Leave safely`}
          </Button>
        )}
      </div>
    </div>
  );
}
