import { useLingui } from '@lingui/react/macro';

import type { Security } from '../../api/security.ts';
import { ApiError, describeError } from '../../i18n/api-error.ts';
import { CodeField, type CodeFieldProps } from '../../ui/form/CodeField.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import type { ProofFormState } from './ProofForm.tsx';

import styles from './SecurityScreen.module.css';

type PaymentProofProps = {
  form: ProofFormState;
  forgotten: boolean;
  /** What proves the identity if the payment password is forgotten. The form itself asks for the security answer. */
  reset: Security['paymentReset'];
  /** The masked recipient of the code. */
  codeTo: string;
  send: CodeFieldProps['send'];
  onForgotten: (forgotten: boolean) => void;
};

export function PaymentProof(props: PaymentProofProps) {
  const { form, forgotten, reset, codeTo, send, onForgotten } = props;
  const { t } = useLingui();
  return (
    <>
      {!forgotten && (
        <PasswordField
          {...form.input('paymentPassword')}
          label={t`Payment password`}
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
        />
      )}
      {forgotten && (reset === 'sms' || reset === 'email') && (
        <CodeField
          {...form.input('recoveryCode')}
          label={t`Code to prove that it is you`}
          target={`payment/${reset}`}
          to={codeTo}
          canSend
          send={send}
        />
      )}
      {forgotten && reset === '' && (
        <p className={styles.asked}>{describeError(new ApiError('member.payment_lost', 422))}</p>
      )}
      <button type="button" className={styles.other} onClick={() => onForgotten(!forgotten)}>
        {forgotten ? t`I know the present one` : t`Forgotten?`}
      </button>
    </>
  );
}
