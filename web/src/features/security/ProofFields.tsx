import { useLingui } from '@lingui/react/macro';

import { sendPaymentCode, sendProofCode } from '../../api/security.ts';
import { Field } from '../../ui/Field.tsx';
import type { CodeFieldProps } from '../../ui/form/CodeField.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { ProofField } from '../../ui/form/ProofField.tsx';
import { PaymentProof } from './PaymentProof.tsx';
import type { ProofFormState } from './ProofForm.tsx';
import { questionTexts } from './questions.ts';
import type { Proof } from './useProof.ts';

import styles from './SecurityScreen.module.css';

type ProofFieldsProps = { form: ProofFormState; proof: Proof };

export function ProofFields({ form, proof }: ProofFieldsProps) {
  const { t, i18n } = useLingui();
  const { shown, question } = proof;
  const words = questionTexts[question];

  const send =
    (call: CodeFieldProps['send']): CodeFieldProps['send'] =>
    async () => {
      form.clearError();
      try {
        return await call();
      } catch (thrown) {
        form.showError(thrown);
        return null;
      }
    };

  return (
    <>
      {shown.proofCode && (
        <ProofField {...form.input('proofCode')} to={proof.codeTo} send={send(sendProofCode)} />
      )}
      {shown.password && (
        <PasswordField
          {...form.input('password')}
          label={t`Login password`}
          autoComplete="current-password"
        />
      )}
      {proof.byPayment && (
        <PaymentProof
          form={form}
          forgotten={proof.forgotten}
          reset={proof.reset}
          codeTo={proof.recoveryTo}
          send={send(sendPaymentCode)}
          onForgotten={proof.setForgotten}
        />
      )}
      {shown.answer && (
        <>
          <p className={styles.asked}>{words ? i18n._(words) : t`Security question`}</p>
          <Field
            {...form.input('answer')}
            label={t`Your answer`}
            icon="question"
            autoComplete="off"
          />
        </>
      )}
    </>
  );
}
