import { useLingui } from '@lingui/react/macro';

import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';

import styles from './Reconnecting.module.css';

export type ReconnectingProps = {
  attempt: number;
  /** Whether a round of the player's runs; not every game says so. */
  round: 'runs' | 'none' | 'unknown';
  /** It has lasted so long that one may want to go. */
  long: boolean;
  onLeave: () => void;
};

/** Says that the line is down, and that nothing is lost by it. The game stays in sight. */
export function Reconnecting({ attempt, round, long, onLeave }: ReconnectingProps) {
  const { t } = useLingui();
  const words = {
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
        <p className={styles.text}>{words[round]}</p>
        {long && (
          <Button variant="secondary" size="sm" onPress={onLeave}>
            {t`Leave safely`}
          </Button>
        )}
      </div>
    </div>
  );
}
