import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import { settingsQuery, statusQuery } from '../../api/system.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { formatTime } from '../../lib/dates.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Logo } from '../../ui/Logo.tsx';

import styles from './ClosedScreen.module.css';

/** Replaces the whole app while the server reports that it is closed. */
export default function ClosedScreen() {
  const { t } = useLingui();
  const { data: settings } = useQuery(settingsQuery);
  const { data: status, isFetching, refetch } = useQuery(statusQuery);
  const merchant = settings?.merchantName ?? 'Fairground';
  const maintenance = status?.state === 'maintenance';
  const language = useLanguage();
  const ip = status?.ip ?? '';
  const title = maintenance ? t`System under maintenance` : t`IP restricted: access denied`;

  useEffect(() => {
    document.title = `${title} · ${merchant}`;
  }, [title, merchant]);

  function describeReason(): string {
    if (maintenance) {
      const opens = t`This page opens by itself as soon as the work is done.`;
      const note = status.maintenance?.note ?? '';
      const until = status.maintenance?.until;
      if (!until) return [note || t`Please come back later.`, opens].join(' ');
      const time = formatTime(until, language);
      return [note, t`The work is thought to end ${time}.`, opens].filter(Boolean).join(' ');
    }
    if (status?.state === 'regionBlock') return t`This site is not open in your region.`;
    return t`This site is not open for your address, ${ip}.`;
  }

  return (
    <div className={styles.screen}>
      <h1 className={styles.brand}>
        <Logo />
        {merchant}
      </h1>
      <div role="status" className={styles.words}>
        <Empty
          art={maintenance ? artUrl('spots/error.webp') : artUrl('spots/lock.webp')}
          icon="lock-key"
          title={title}
          text={describeReason()}
          actions={
            <Button variant="secondary" size="md" busy={isFetching} onPress={() => void refetch()}>
              {t`Check again`}
            </Button>
          }
        />
      </div>
    </div>
  );
}
