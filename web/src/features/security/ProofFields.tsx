import { useLingui } from '@lingui/react/macro';

import { sendPaymentCode, sendProofCode } from '../../api/security.ts';
import { Field } from '../../ui/Field.tsx';
import type { CodeFieldProps } from '../../ui/form/CodeField.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { ProofField } from '../../ui/form/ProofField.tsx';
import type { GuardedForm } from './GuardedForm.tsx';
import { PaymentProof } from './PaymentProof.tsx';
import { questionWords } from './questions.ts';
import type { Proof } from './useProof.ts';

import styles from './SecurityScreen.module.css';

type ProofFieldsProps = { form: GuardedForm; proof: Proof };

/** The fields by which a member proves a change. */
export function ProofFields({ form, proof }: ProofFieldsProps) {
  const { t, i18n } = useLingui();
  const { asked, question } = proof;
  const words = questionWords[question];

  const send =
    (call: CodeFieldProps['send']): CodeFieldProps['send'] =>
    async () => {
      form.clearError();
      try {
        return await call();
      } catch (thrown) {
        form.tellAt(thrown);
        return null;
      }
    };

  return (
    <>
      {asked.proofCode && (
        <ProofField {...form.input('proofCode')} to={proof.codeTo} send={send(sendProofCode)} />
      )}
      {asked.password && (
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
      {asked.answer && (
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
