import { useLingui } from '@lingui/react/macro';
import { useMemo, useState } from 'react';

import type { RegisterSetting } from '../../api/registration.ts';
import { sendPaymentCode, setPaymentPassword, type Security } from '../../api/security.ts';
import { ApiError, describeError } from '../../i18n/api-error.ts';
import { Link } from '../../lib/router.tsx';
import { trimSpaces, type RuleSet } from '../../lib/validation/rules.ts';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Empty } from '../../ui/Empty.tsx';
import { CodeField } from '../../ui/form/CodeField.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { ProofForm, type ProofFormState } from './ProofForm.tsx';
import { WithRegisterSetting } from './WithRegisterSetting.tsx';

import styles from './SecurityScreen.module.css';

type PaymentFormProps = {
  set: boolean;
  /** What proves the identity, together with the login password, if the payment password is forgotten. Empty if only customer service can help. */
  reset: Security['paymentReset'];
  /** The masked recipient of the code. */
  codeTo: string;
  question: string;
  onDone: () => void;
};

/** Sets the payment password. A change needs the old one, or the login password with the security answer or a code. */
export function PaymentForm(props: PaymentFormProps) {
  return (
    <WithRegisterSetting>
      {(setting) => <LoadedForm setting={setting} {...props} />}
    </WithRegisterSetting>
  );
}

const digits = (form: ProofFormState, name: string) => ({
  ...form.input(name),
  inputMode: 'numeric' as const,
  autoComplete: 'off',
  maxLength: 6,
});

async function sendCode(form: ProofFormState) {
  form.clearError();
  try {
    return await sendPaymentCode();
  } catch (thrown) {
    form.showError(thrown);
    return null;
  }
}

function LoadedForm(props: PaymentFormProps & { setting: RegisterSetting }) {
  const { setting, set, reset, codeTo, question, onDone } = props;
  const { t } = useLingui();
  const [forgotten, setForgotten] = useState(false);
  const byPassword = !set || forgotten;
  const byCode = forgotten && (reset === 'sms' || reset === 'email');
  const rules = useMemo<RuleSet>(() => {
    const {
      paymentPassword = [],
      confirmPaymentPassword = [],
      verificationCode = [],
    } = setting.rules;
    return {
      ...(!byPassword && { oldPaymentPassword: paymentPassword }),
      ...(byCode && { verificationCode }),
      paymentPassword,
      confirmPaymentPassword,
    };
  }, [setting, byPassword, byCode]);

  const toggle = (
    <button type="button" className={styles.other} onClick={() => setForgotten(!forgotten)}>
      {forgotten ? t`I know the present one` : t`Forgotten?`}
    </button>
  );
  if (forgotten && reset === '') {
    return (
      <div className={styles.form}>
        <Empty
          icon="lock-key"
          title={describeError(new ApiError('member.payment_lost', 422))}
          actions={
            <Link to="/m/service" className={buttonClass({ size: 'md' })}>
              {t`Customer service`}
            </Link>
          }
        />
        {toggle}
      </div>
    );
  }

  return (
    <ProofForm
      part="payment"
      setting={setting}
      rules={rules}
      byPassword={byPassword}
      affectsRecovery={false}
      initialQuestion={forgotten && reset === 'answer' ? question : ''}
      onDone={onDone}
      send={(form, proof) =>
        setPaymentPassword({
          ...(!byPassword && { oldPaymentPassword: form.getValue('oldPaymentPassword') }),
          ...(byCode && { verificationCode: trimSpaces(form.getValue('verificationCode')) }),
          paymentPassword: form.getValue('paymentPassword'),
          confirmPaymentPassword: form.getValue('confirmPaymentPassword'),
          ...proof,
        })
      }
    >
      {(form) => (
        <>
          {!byPassword && (
            <PasswordField
              {...digits(form, 'oldPaymentPassword')}
              label={t`Present payment password`}
            />
          )}
          {set && toggle}
          {byCode && (
            <CodeField
              {...form.input('verificationCode')}
              target={`payment/${reset}`}
              to={codeTo}
              canSend
              send={() => sendCode(form)}
            />
          )}
          <PasswordField
            {...digits(form, 'paymentPassword')}
            label={t`New payment password`}
            hint={t`6 digits, not all the same and not in a row, asked for when you withdraw`}
          />
          <PasswordField
            {...digits(form, 'confirmPaymentPassword')}
            label={t`Repeat payment password`}
          />
        </>
      )}
    </ProofForm>
  );
}
