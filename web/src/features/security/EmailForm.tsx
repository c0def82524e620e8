import { useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';

import type { RegisterSetting } from '../../api/registration.ts';
import { bindEmail, sendEmailCode } from '../../api/security.ts';
import { trimSpaces, type RuleSet } from '../../lib/validation/rules.ts';
import { Field } from '../../ui/Field.tsx';
import { CodeField } from '../../ui/form/CodeField.tsx';
import { ProofForm, type ProofFormState } from './ProofForm.tsx';
import { WithRegisterSetting } from './WithRegisterSetting.tsx';

type EmailFormProps = {
  /** The unverified e-mail address from the registration, if any. */
  unverified: string;
  onDone: () => void;
};

export function EmailForm(props: EmailFormProps) {
  return (
    <WithRegisterSetting>
      {(setting) => <LoadedForm setting={setting} {...props} />}
    </WithRegisterSetting>
  );
}

const addressOf = (form: ProofFormState) => trimSpaces(form.getValue('email'));

function LoadedForm({
  setting,
  unverified,
  onDone,
}: EmailFormProps & { setting: RegisterSetting }) {
  const { t } = useLingui();
  const rules = useMemo<RuleSet>(() => {
    const { email = [], verificationCode = [] } = setting.rules;
    return { email, verificationCode };
  }, [setting]);

  return (
    <ProofForm
      part="email"
      setting={setting}
      rules={rules}
      initial={{ email: unverified }}
      onDone={onDone}
      send={(form, proof) =>
        bindEmail({
          email: addressOf(form),
          verificationCode: trimSpaces(form.getValue('verificationCode')),
          ...proof,
        })
      }
    >
      {(form) => (
        <>
          <Field
            {...form.input('email')}
            label={t`E-mail`}
            icon="envelope-simple"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
          />
          <CodeField
            {...form.input('verificationCode')}
            target={`bind:${addressOf(form)}`}
            canSend={form.isGood('email')}
            send={() => send(form)}
          />
        </>
      )}
    </ProofForm>
  );
}

async function send(form: ProofFormState) {
  form.clearError();
  try {
    return await sendEmailCode(addressOf(form));
  } catch (thrown) {
    form.showError(thrown);
    return null;
  }
}
