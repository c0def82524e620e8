import { useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';

import type { RegisterSetting } from '../../api/registration.ts';
import { bindEmail, sendEmailCode } from '../../api/security.ts';
import { trimOuter, type RuleSet } from '../../lib/validation/rules.ts';
import { Field } from '../../ui/Field.tsx';
import { CodeField } from '../../ui/form/CodeField.tsx';
import { GuardedForm, type GuardedForm as Form } from './GuardedForm.tsx';
import { WithSetting } from './WithSetting.tsx';

type EmailFormProps = {
  /** The unverified e-mail address from the registration, if any. */
  unproved: string;
  onDone: () => void;
};

export function EmailForm(props: EmailFormProps) {
  return <WithSetting>{(setting) => <LoadedForm setting={setting} {...props} />}</WithSetting>;
}

const addressOf = (form: Form) => trimOuter(form.typed('email'));

function LoadedForm({ setting, unproved, onDone }: EmailFormProps & { setting: RegisterSetting }) {
  const { t } = useLingui();
  const rules = useMemo<RuleSet>(() => {
    const { email = [], verificationCode = [] } = setting.rules;
    return { email, verificationCode };
  }, [setting]);

  return (
    <GuardedForm
      part="email"
      setting={setting}
      rules={rules}
      initial={{ email: unproved }}
      onDone={onDone}
      send={(form, proof) =>
        bindEmail({
          email: addressOf(form),
          verificationCode: trimOuter(form.typed('verificationCode')),
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
    </GuardedForm>
  );
}

async function send(form: Form) {
  form.clearError();
  try {
    return await sendEmailCode(addressOf(form));
  } catch (thrown) {
    form.showError(thrown);
    return null;
  }
}
