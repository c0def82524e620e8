import { useLingui } from '@lingui/react/macro';

import { Link } from '../../lib/router.tsx';
import { buttonClass } from '../buttonClass.ts';
import { CodeField, type CodeFieldProps } from './CodeField.tsx';
import { ExternalLogins, type ExternalLoginsProps } from './ExternalLogins.tsx';

import styles from './ProofField.module.css';

/** A code that proves that a change is the member's own. */
export function ProofField(props: Omit<CodeFieldProps, 'label' | 'target' | 'canSend'>) {
  const { t } = useLingui();
  return <CodeField {...props} label={t`Code to prove that it is you`} target="proof" canSend />;
}

/**
 * The ways to log in again, for a member without a password whose login is too long ago to prove a change. Where the
 * merchant no longer has any, customer service is left.
 */
export function LoginAgain({ ways }: Pick<ExternalLoginsProps, 'ways'>) {
  const { t } = useLingui();
  return (
    <div className={styles.again}>
      {ways.length > 0 ? (
        <>
          <p>{t`Log in again to prove that it is you. You have ten minutes for your changes then.`}</p>
          <ExternalLogins ways={ways} alone />
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
