import { useLingui } from '@lingui/react/macro';

import type { Break } from '../../api/limits.ts';
import { formatTime } from '../../lib/dates.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';

import styles from './Layer.module.css';

export type EndedProps = {
  why: 'break' | 'closed' | 'expired';
  pause: Break | null;
  onAgain: () => void;
  onLeave: (to?: string) => void;
};

/** Play is over: why, and where to go from here. */
export function Ended({ why, pause, onAgain, onLeave }: EndedProps) {
  const { t, i18n } = useLingui();
  const until = pause?.until ? formatTime(pause.until, i18n.locale) : null;
  const record = (
    <Button variant="text" size="md" onPress={() => onLeave('/m/gameRecord')}>
      {t`Betting record`}
    </Button>
  );
  return (
    <div className={styles.cover} role="alert">
      <Icon name={why === 'break' ? 'coffee-fill' : 'clock'} size={44} />
      {why === 'break' ? (
        <>
          <h2 className={styles.title}>{t`Your break has begun`}</h2>
          <p>
            {until
              ? t`Play is closed until ${until}. Rounds that ran are settled, and you can withdraw.`
              : t`Play is closed. Rounds that ran are settled, and you can withdraw.`}
          </p>
          <Button size="md" onPress={() => onLeave()}>{t`Leave the game`}</Button>
          <Button variant="text" size="md" onPress={() => onLeave('/m/member/limits')}>
            {t`Limits and breaks`}
          </Button>
          {record}
        </>
      ) : (
        <>
          <h2 className={styles.title}>{t`This sitting has ended`}</h2>
          <p>{t`Your rounds are settled and stand in the betting record.`}</p>
          <Button size="md" onPress={onAgain}>{t`Start the game again`}</Button>
          <Button variant="text" size="md" onPress={() => onLeave()}>
            {t`Leave the game`}
          </Button>
          {record}
        </>
      )}
    </div>
  );
}
