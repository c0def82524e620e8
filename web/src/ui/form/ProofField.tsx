import { useLingui } from '@lingui/react/macro';

import { CodeField, type CodeFieldProps } from './CodeField.tsx';
import { OutsideWays, type OutsideWaysProps } from './OutsideWays.tsx';

/** A code that proves that a change is the member's own. */
export function ProofField(props: Omit<CodeFieldProps, 'label' | 'target' | 'canSend'>) {
  const { t } = useLingui();
  return <CodeField {...props} label={t`Code to prove that it is you`} target="proof" canSend />;
}

/** The ways to log in again, for a member without a password whose login is too long ago to prove a change. */
export function LoginAgain({ ways }: OutsideWaysProps) {
  const { t } = useLingui();
  return (
    <div>
      <p>{t`Log in again to prove that it is you. You have ten minutes for your changes then.`}</p>
      <OutsideWays ways={ways} />
    </div>
  );
}
