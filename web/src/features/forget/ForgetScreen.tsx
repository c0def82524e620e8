import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, type ReactNode } from 'react';

import { useLanguages } from '../../api/languages.ts';
import { prefillLoginName } from '../../api/next-login.ts';
import { registerSettingQuery, type RegisterSetting } from '../../api/registration.ts';
import { forgetRememberedOf } from '../../api/remembered-login.ts';
import { clearSession, currentSession } from '../../api/session.ts';
import { settingsQuery } from '../../api/system.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { onStepBack, onLayer } from '../../lib/layers.ts';
import { goHome, Link, navigate } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Empty } from '../../ui/Empty.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { LanguagePill } from '../../ui/form/LanguagePill.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';
import { ForgetForm } from './ForgetForm.tsx';
import { channelsOf, useForget, type Forget } from './useForget.ts';

import formScreen from '../../ui/form/form-screen.module.css';

export default function ForgetScreen() {
  const { t } = useLingui();
  const { data: setting, error, refetch } = useQuery(registerSettingQuery);
  const { data: settings, isPending } = useQuery(settingsQuery);
  if (setting && !isPending && channelsOf(setting).length > 0) {
    return (
      <Steps
        setting={setting}
        country={settings?.countryDialingCode ?? ''}
        demo={settings?.demo ?? false}
      />
    );
  }
  return (
    <Frame onBack={goHome}>
      {!setting && error ? (
        <ErrorRetry
          detail={describeError(error)}
          answered={wasAnswered(error)}
          onRetry={refetch}
          className={formScreen.state}
        />
      ) : !setting || isPending ? (
        <div className={formScreen.form} aria-busy="true">
          {[0, 1, 2, 3].map((place) => (
            <Skeleton key={place} shape="box" height={56} />
          ))}
        </div>
      ) : (
        <Empty
          icon="lock-key"
          title={t`No code can be sent at the moment`}
          text={t`Customer service can help you set a new password.`}
          actions={
            <Link to="/m/service" className={buttonClass({ size: 'md' })}>
              {t`Customer service`}
            </Link>
          }
        />
      )}
    </Frame>
  );
}

type StepsProps = { setting: RegisterSetting; country: string; demo: boolean };

function Steps({ setting, country, demo }: StepsProps) {
  const { t } = useLingui();
  const forget = useForget(setting, country);
  useStepOnBack(forget);

  function done(name: string): void {
    // The reset ended the member's sessions and invalidated the remembered password.
    forgetRememberedOf(name);
    if (currentSession()?.userName === name) clearSession();
    prefillLoginName(name);
    toast.success(t`Your new password is set, log in with it`, { seconds: 3 });
    navigate('/m/login', { replace: true });
  }

  function back(): void {
    if (!forget.stepBack()) goHome();
  }

  return (
    <Frame onBack={back}>
      <ForgetForm forget={forget} setting={setting} demo={demo} onDone={done} />
    </Frame>
  );
}

/** Makes the browser's back button go to the previous step. */
function useStepOnBack(forget: Forget): void {
  const { step } = forget;
  const back = useEffectEvent(() => forget.stepBack());
  useEffect(() => {
    if (step === 'who') return;
    return onStepBack(() => {
      // Navigating elsewhere also closes the layer, but must keep the progress.
      if (!onLayer()) back();
    });
  }, [step]);
}

type FrameProps = { onBack: () => void; children: ReactNode };

function Frame({ onBack, children }: FrameProps) {
  const { t } = useLingui();
  const { picker } = useLanguages();
  return (
    <div className={formScreen.screen}>
      <div className={formScreen.bar}>
        <IconButton icon="arrow-left" label={t`Back`} onPress={onBack} />
        <LanguagePill
          languages={picker}
          onFailure={(failure) => toast.error(describeError(failure))}
        />
      </div>
      <h1 className={formScreen.title} tabIndex={-1}>
        {t`Forgot password`}
      </h1>
      {children}
    </div>
  );
}
