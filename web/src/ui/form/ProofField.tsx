import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import { Link } from '../../lib/router.tsx';
import { buttonClass } from '../buttonClass.ts';
import { CodeField, type CodeFieldProps } from './CodeField.tsx';
import { ExternalLogins } from './ExternalLogins.tsx';

import styles from './ProofField.module.css';

export function ProofField(props: Omit<CodeFieldProps, 'label' | 'target' | 'canSend'>) {
  const { t } = useLingui();
  return <CodeField {...props} label={t`Code to prove that it is you`} target="proof" canSend />;
}

type LoginAgainProps = {
  logins: readonly { service: 'Facebook' | 'Google'; leave: () => Promise<void> }[];
  onFailure: (failure: unknown) => void;
};

/** Asks a member without a password to log in again. Offers customer service when no login service is left. */
export function LoginAgain({ logins, onFailure }: LoginAgainProps) {
  const { t } = useLingui();
  const [leaving, setLeaving] = useState('');

  async function redirect(service: string, leave: () => Promise<void>): Promise<void> {
    if (leaving) return;
    setLeaving(service);
    try {
      await leave();
    } catch (thrown) {
      onFailure(thrown);
    } finally {
      setLeaving('');
    }
  }

  const buttons = logins.map(({ service, leave }) => ({
    service,
    busy: leaving === service,
    onPress: () => void redirect(service, leave),
  }));
  return (
    <div className={styles.again}>
      {logins.length > 0 ? (
        <>
          <p>{t`Log in again to prove that it is you. You have ten minutes for your changes then.`}</p>
          <ExternalLogins logins={buttons} alone />
        </>
      ) : (
        <>
          <p>{t`Customer service can help you prove that it is you.`}</p>
          <Link to="/m/service" className={buttonClass({ size: 'md' })}>
            {t`Customer service`}
          </Link>
        </>
      )}
    </div>
  );
}
