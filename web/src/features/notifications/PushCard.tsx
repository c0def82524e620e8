import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';

import { describeError } from '../../i18n/api-error.ts';
import { Switch } from '../../ui/form/Switch.tsx';
import { toast } from '../../ui/toastStore.ts';
import { canPush, renewPush, startPush, stopPush } from './push.ts';

import styles from './NotificationsScreen.module.css';

/** Switches push messages on for this browser. */
export function PushCard({ pushKey }: { pushKey: string }) {
  const { t } = useLingui();
  const [isOn, setIsOn] = useState<boolean>();
  const [isBusy, setIsBusy] = useState(false);
  const supported = canPush();

  useEffect(() => {
    let gone = false;
    if (supported) {
      const show = (on: boolean) => {
        if (!gone) setIsOn(on);
      };
      // If the browser cannot be registered, it receives nothing: the switch shows "off".
      void renewPush().then(show, () => show(false));
    }
    return () => {
      gone = true;
    };
  }, [supported]);

  async function change(on: boolean): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    try {
      if (on && !(await startPush(pushKey))) {
        toast.error(t`Your browser does not allow notifications for this site`);
        return;
      }
      if (!on) await stopPush();
      setIsOn(on);
    } catch (failure) {
      toast.error(describeError(failure));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <section className={styles.card}>
      <h2 className={styles.title}>{t`Push notifications`}</h2>
      {supported ? (
        <Switch checked={isOn === true} onChange={(on) => void change(on)}>
          {t`Allow on this device`}
        </Switch>
      ) : (
        <p className={styles.text}>
          {t`This browser cannot show notifications. Install the app on your home screen to get them.`}
        </p>
      )}
    </section>
  );
}
