import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import {
  endOtherSessions,
  endSessionById,
  securityQuery,
  sessionsQuery,
  type SeenSession,
} from '../../api/security.ts';
import { describeError, errorOfThrown } from '../../i18n/api-error.ts';
import { countryName } from '../../lib/country.ts';
import { formatTime } from '../../lib/dates.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './Sessions.module.css';

export function Sessions() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const query = useQuery(sessionsQuery);
  const [confirming, setConfirming] = useState<SeenSession | 'others' | null>(null);
  const [ending, setEnding] = useState('');

  async function endSessions(target: SeenSession | 'others'): Promise<void> {
    setConfirming(null);
    setEnding(target === 'others' ? target : target.id);
    try {
      await (target === 'others' ? endOtherSessions() : endSessionById(target.id));
      toast.success(
        target === 'others' ? t`Logged out everywhere else` : t`That device is logged out`,
      );
    } catch (thrown) {
      // The session has already ended.
      if (errorOfThrown(thrown).code !== 'session.unknown') toast.error(describeError(thrown));
    } finally {
      await cache.invalidateQueries({ queryKey: securityQuery.queryKey });
      setEnding('');
    }
  }

  return (
    <section className={styles.sessions}>
      <h2 className={styles.title}>{t`Where you are logged in`}</h2>
      <QueryView
        query={query}
        className={styles.loaded}
        skeleton={<Skeleton shape="box" height={76} className={styles.waiting} />}
      >
        {(sessions) => (
          <>
            <ul className={styles.list}>
              {sessions.toSorted(currentFirst).map((session) => (
                <Row
                  key={session.id}
                  session={session}
                  busy={ending === session.id || (ending === 'others' && !session.current)}
                  onEnd={() => setConfirming(session)}
                />
              ))}
            </ul>
            {sessions.some(({ current }) => !current) ? (
              <Button
                variant="secondary"
                size="md"
                icon="sign-out"
                full
                busy={ending === 'others'}
                onPress={() => setConfirming('others')}
              >
                {t`Log out everywhere else`}
              </Button>
            ) : (
              <p className={styles.alone}>{t`You are logged in nowhere else.`}</p>
            )}
          </>
        )}
      </QueryView>
      <Dialog
        alert
        open={confirming !== null}
        onClose={() => setConfirming(null)}
        title={confirming === 'others' ? t`Log out everywhere else?` : t`Log out there?`}
        text={t`Whoever uses it there has to log in again. You stay logged in here.`}
        actions={
          <>
            <Button
              onPress={() => confirming && void endSessions(confirming)}
            >{t`Log out there`}</Button>
            <Button variant="text" size="md" onPress={() => setConfirming(null)}>
              {t`Cancel`}
            </Button>
          </>
        }
      />
    </section>
  );
}

const currentFirst = (a: SeenSession, b: SeenSession) => Number(b.current) - Number(a.current);

type RowProps = { session: SeenSession; busy: boolean; onEnd: () => void };

function Row({ session, busy, onEnd }: RowProps) {
  const { t, i18n } = useLingui();
  const { device, address, country, createdAt, seenAt, current } = session;
  // The app reports no more details. A browser may run on a phone or on a computer.
  const names: Record<string, string> = { MOBILE: t`Browser`, OTHERS: t`Installed app` };
  const since = formatTime(createdAt, i18n.locale);
  const seen = formatTime(seenAt, i18n.locale);
  return (
    <li className={styles.row}>
      <span className={styles.mark}>
        <Icon name={device === 'OTHERS' ? 'device-mobile' : 'globe'} />
      </span>
      <div className={styles.words}>
        <p className={styles.device}>
          <bdi>{names[device] ?? t`Unknown device`}</bdi>
          {current && <span className={styles.current}>{t`This device`}</span>}
        </p>
        {country && <p>{countryName(country, i18n.locale)}</p>}
        <p>
          <bdi dir="ltr">{address}</bdi>
        </p>
        <p>{t`Since ${since}`}</p>
        {!current && <p>{t`Last seen ${seen}`}</p>}
      </div>
      {!current && (
        <Button variant="outline" size="sm" busy={busy} onPress={onEnd}>
          {t`Log out`}
        </Button>
      )}
    </li>
  );
}
