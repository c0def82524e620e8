import { useLingui } from '@lingui/react/macro';

import type { Break } from '../../api/limits.ts';
import { formatTime } from '../../lib/dates.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';

import styles from './Layer.module.css';

export type PlayEndedProps = {
  reason: 'break' | 'closed' | 'expired';
  activeBreak: Break | null;
  onRestart: () => void;
  onLeave: (to?: string) => void;
};

export function PlayEnded({ reason, activeBreak, onRestart, onLeave }: PlayEndedProps) {
  const { t, i18n } = useLingui();
  const until = activeBreak?.until ? formatTime(activeBreak.until, i18n.locale) : null;
  const record = (
    <Button variant="text" size="md" onPress={() => onLeave('/m/gameRecord')}>
      {t`Betting record`}
    </Button>
  );
  return (
    <div className={styles.cover} role="alert">
      <Icon name={reason === 'break' ? 'coffee-fill' : 'clock'} size={44} />
      {reason === 'break' ? (
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
          <Button size="md" onPress={onRestart}>{t`Start the game again`}</Button>
          <Button variant="text" size="md" onPress={() => onLeave()}>
            {t`Leave the game`}
          </Button>
          {record}
        </>
      )}
    </div>
  );
}
