import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useLoginAgain } from '../../api/external-login.ts';
import { registerSettingQuery } from '../../api/registration.ts';
import { codeTarget, securityQuery } from '../../api/security.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { LoginAgain } from '../../ui/form/ProofField.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';
import { ChangePasswordForm } from './ChangePasswordForm.tsx';

import styles from './ChangePasswordScreen.module.css';

export default function ChangePasswordScreen() {
  const {
    data: setting,
    error: rulesError,
    refetch: refetchRules,
  } = useQuery(registerSettingQuery);
  const {
    data: security,
    error: securityError,
    refetch: refetchSecurity,
  } = useQuery(securityQuery);
  // Decided once: the new password starts a new session, which reloads the query, and the form must stay.
  const [first, setFirst] = useState<boolean>();
  if (security && first === undefined) setFirst(!security.hasPassword);
  const ways = useLoginAgain('/m/changePsw');
  const error = (setting ? null : rulesError) ?? (first === undefined ? securityError : null);
  if (first && security?.proof === 'login')
    return (
      <LoginAgain logins={ways} onFailure={(failure) => toast.error(describeError(failure))} />
    );
  if (setting && first !== undefined)
    return (
      <ChangePasswordForm
        rules={setting.rules}
        first={first}
        temporary={security?.temporaryPassword === true}
        byCode={security?.proof === 'sms' || security?.proof === 'email'}
        codeTo={codeTarget(security, security?.proof ?? '')}
      />
    );
  if (error) {
    return (
      <ErrorRetry
        detail={describeError(error)}
        answered={wasAnswered(error)}
        onRetry={() => Promise.all([refetchRules(), refetchSecurity()])}
        className={styles.state}
      />
    );
  }
  return (
    <div className={styles.form} aria-busy="true">
      {[0, 1, 2, 3].map((place) => (
        <Skeleton key={place} shape="box" height={56} />
      ))}
    </div>
  );
}
