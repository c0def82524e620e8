import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { storedTicket } from '../../api/external-login.ts';
import { useLanguages } from '../../api/languages.ts';
import { registerSettingQuery } from '../../api/registration.ts';
import { isRealAccount, useSession } from '../../api/session.ts';
import { settingsQuery } from '../../api/system.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { goHome, homePath, Link, ownPath, returnTo, useAddressQuery } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Deferred } from '../../ui/Deferred.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { LanguagePill } from '../../ui/form/LanguagePill.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';
import { ExternalForm } from './ExternalForm.tsx';
import { supportedMethods } from './fields.ts';
import { RegisterForm } from './RegisterForm.tsx';

import formScreen from '../../ui/form/form-screen.module.css';

const loadBanners = () => import('./RegisterBanners.tsx');

export default function RegisterScreen() {
  const { t } = useLingui();
  const { picker } = useLanguages();
  const member = isRealAccount(useSession());
  const target = ownPath(useAddressQuery().get('return')) ?? homePath;

  useEffect(() => {
    // Another tab may also have logged in.
    if (member) returnTo(target);
  }, [member, target]);

  return (
    <div className={formScreen.screen}>
      <div className={formScreen.bar}>
        <IconButton icon="arrow-left" label={t`Back`} onPress={goHome} />
        <p className={formScreen.name}>{t`Register`}</p>
        <LanguagePill
          languages={picker}
          onFailure={(failure) => toast.error(describeError(failure))}
        />
      </div>
      <h1 className={formScreen.title} tabIndex={-1}>
        {t`Create an account`}
      </h1>
      <Content target={target} />
      <Deferred load={loadBanners} />
    </div>
  );
}

function Content({ target }: { target: string }) {
  const { t } = useLingui();
  const [ticket, setTicket] = useState(storedTicket);
  const { data: setting, error, refetch } = useQuery(registerSettingQuery);
  const { data: settings, isPending } = useQuery(settingsQuery);
  if (!setting && error) {
    return (
      <ErrorRetry
        detail={describeError(error)}
        answered={wasAnswered(error)}
        onRetry={refetch}
        className={formScreen.state}
      />
    );
  }
  if (!setting || isPending) {
    return (
      <div className={formScreen.form} aria-busy="true">
        {[0, 1, 2, 3, 4].map((place) => (
          <Skeleton key={place} shape="box" height={56} />
        ))}
      </div>
    );
  }
  if (supportedMethods(setting).length === 0) {
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
  if (ticket !== null) {
    return (
      <ExternalForm ticket={ticket} age={setting.ageLimit} onRefused={() => setTicket(null)} />
    );
  }
  return (
    <RegisterForm
      setting={setting}
      dialingCode={settings?.countryDialingCode ?? ''}
      target={target}
    />
  );
}
