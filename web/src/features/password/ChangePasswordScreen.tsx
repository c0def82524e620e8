import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useLoginAgain } from '../../api/external-login.ts';
import { registerSettingQuery } from '../../api/registration.ts';
import { codeTarget, securityQuery } from '../../api/security.ts';
import { describeError } from '../../i18n/api-error.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { LoginAgain } from '../../ui/form/ProofField.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';
import { ChangePasswordForm } from './ChangePasswordForm.tsx';

import styles from './ChangePasswordScreen.module.css';

export default function ChangePasswordScreen() {
  const settingQuery = useQuery(registerSettingQuery);
  const ownSecurity = useQuery(securityQuery);
  const security = ownSecurity.data;
  // Decided once: the new password starts a new session, which reloads the query, and the form must stay.
  const [first, setFirst] = useState<boolean>();
  if (security && first === undefined) setFirst(!security.hasPassword);
  const ways = useLoginAgain('/m/changePsw');
  if (first && security?.proof === 'login')
    return (
      <LoginAgain logins={ways} onFailure={(failure) => toast.error(describeError(failure))} />
    );
  const rules = settingQuery.data?.rules;
  const failed = [settingQuery, ownSecurity].find(({ isLoadingError }) => isLoadingError);
  return (
    <QueryView
      query={{
        data: rules && first !== undefined ? { rules, first } : undefined,
        error: failed?.error ?? null,
        isFetching: false,
        refetch: () => Promise.all([settingQuery.refetch(), ownSecurity.refetch()]),
      }}
      errorClass={styles.state}
      skeleton={
        <div className={styles.form}>
          {[0, 1, 2, 3].map((place) => (
            <Skeleton key={place} shape="box" height={56} />
          ))}
        </div>
      }
    >
      {(loaded) => (
        <ChangePasswordForm
          {...loaded}
          temporary={security?.temporaryPassword === true}
          byCode={security?.proof === 'sms' || security?.proof === 'email'}
          codeTo={codeTarget(security, security?.proof ?? '')}
        />
      )}
    </QueryView>
  );
}
