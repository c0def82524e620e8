import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';

import {
  setPromotionConsent,
  notificationsKey,
  notificationsQuery,
} from '../../api/notifications.ts';
import { Link } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { useSubmit } from '../../ui/form/useSubmit.ts';

import styles from './InboxScreen.module.css';

/** Asks once whether the member wants promotions. Nothing promotional is sent before the answer. */
export function ConsentCard() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { data } = useQuery(notificationsQuery);
  const { submit, busy, error } = useSubmit({
    send: (allowed: boolean) => setPromotionConsent(allowed),
    onDone: (preferences) => cache.setQueryData(notificationsKey, preferences),
  });
  if (!data || data.askedAt > 0) return null;
  return (
    <section className={styles.consent}>
      <h2 className={styles.title}>{t`May we tell you about promotions?`}</h2>
      <p className={styles.plain}>
        {t`Only if you say yes. You can change it at any time.`}{' '}
        <Link to="/m/member/notifications" className={styles.link}>
          {t`Notifications`}
        </Link>
      </p>
      <FormError text={error} />
      <div className={styles.actions}>
        <Button variant="text" size="md" busy={busy} onPress={() => void submit(false)}>
          {t`No, thanks`}
        </Button>
        <Button variant="secondary" size="md" busy={busy} onPress={() => void submit(true)}>
          {t`Yes, please`}
        </Button>
      </div>
    </section>
  );
}
