import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import { describeError, wasAnswered } from '../../api/error.ts';
import { useLanguages } from '../../api/languages.ts';
import { registerSettingQuery } from '../../api/registration.ts';
import { useLoggedIn } from '../../api/session.ts';
import { settingsQuery } from '../../api/system.ts';
import { goHome, homePath, Link, ownPath, returnTo, useAddressQuery } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Empty } from '../../ui/Empty.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { LanguagePill } from '../../ui/form/LanguagePill.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';
import { openMethods } from './fields.ts';
import { RegisterForm } from './RegisterForm.tsx';

import styles from './RegisterScreen.module.css';

/** The way to become a member. It leads back to where the visitor was. */
export default function RegisterScreen() {
  const { t } = useLingui();
  const { picker } = useLanguages();
  const loggedIn = useLoggedIn();
  const target = ownPath(useAddressQuery().get('return')) ?? homePath;

  useEffect(() => {
    // Also when another tab has logged in.
    if (loggedIn) returnTo(target);
  }, [loggedIn, target]);

  return (
    <div className={styles.screen}>
      <div className={styles.bar}>
        <IconButton icon="arrow-left" label={t`Back`} onPress={goHome} />
        <LanguagePill
          languages={picker}
          onFailure={(failure) => toast.error(describeError(failure))}
        />
      </div>
      <h1 className={styles.title} tabIndex={-1}>
        {t`Create an account`}
      </h1>
      <Content />
    </div>
  );
}

function Content() {
  const { t } = useLingui();
  const { data: setting, error, refetch } = useQuery(registerSettingQuery);
  const { data: settings, isPending } = useQuery(settingsQuery);
  if (!setting && error) {
    return (
      <ErrorRetry
        detail={describeError(error)}
        answered={wasAnswered(error)}
        onRetry={refetch}
        className={styles.state}
      />
    );
  }
  if (!setting || isPending) {
    return (
      <div className={styles.form} aria-busy="true">
        {[0, 1, 2, 3, 4].map((place) => (
          <Skeleton key={place} shape="box" height={56} />
        ))}
      </div>
    );
  }
  if (openMethods(setting).length === 0) {
    return (
      <Empty
        icon="lock-key"
        title={t`Registration is closed`}
        text={t`New accounts cannot be opened at the moment. Please come back later.`}
        actions={
          <Link to={homePath} className={buttonClass({ size: 'md' })}>
            {t`To home`}
          </Link>
        }
      />
    );
  }
  return <RegisterForm setting={setting} dialingCode={settings?.countryDialingCode ?? ''} />;
}
