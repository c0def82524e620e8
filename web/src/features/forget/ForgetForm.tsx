import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type FormEvent } from 'react';

import { captchaPicture } from '../../api/captcha.ts';
import type { RegisterSetting } from '../../api/registration.ts';
import { ApiError } from '../../i18n/api-error.ts';
import { focusField } from '../../lib/focus.ts';
import { Link } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { CaptchaField } from '../../ui/form/CaptchaField.tsx';
import { CodeField } from '../../ui/form/CodeField.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { NewPasswordFields } from '../../ui/form/NewPasswordFields.tsx';
import { PhoneField } from '../../ui/form/PhoneField.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { steps } from './fields.ts';
import type { Forget } from './useForget.ts';

import formScreen from '../../ui/form/form-screen.module.css';
import styles from './ForgetScreen.module.css';

type ForgetFormProps = {
  forget: Forget;
  setting: RegisterSetting;
  /** Whether messages go to the development outbox. */
  demo: boolean;
  onDone: (name: string) => void;
};

export function ForgetForm({ forget, setting, demo, onDone }: ForgetFormProps) {
  const { t } = useLingui();
  const { form, step, channel } = forget;
  const element = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [first = ''] = forget.fields;
  const place = steps.indexOf(step) + 1;

  // Focuses the first field of a new step. The first step leaves the focus on the title.
  const before = useRef(step);
  useEffect(() => {
    if (before.current !== step) focusField(element.current, first);
    before.current = step;
  }, [step, first]);

  function showError(thrown: unknown): void {
    const field = form.showServerError(thrown);
    if (field) focusField(element.current, field);
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    form.clearError();
    try {
      const wrong = form.validateAll();
      if (wrong) focusField(element.current, wrong);
      const name = wrong ? null : await forget.next();
      if (name) onDone(name);
    } catch (thrown) {
      showError(thrown);
    } finally {
      setBusy(false);
    }
  }

  /** Sends another code. Shows the captcha first where one is needed. */
  async function sendAgain() {
    form.clearError();
    if (forget.requireCaptcha()) return null;
    try {
      const sentCode = await forget.send();
      form.setValue('verificationCode', '');
      return sentCode;
    } catch (thrown) {
      showError(thrown);
      return null;
    }
  }

  const shared = (name: string) => ({
    name,
    value: form.getValue(name),
    errors: form.errorsOf(name),
    onChange: (event: { target: { value: string } }) => form.setValue(name, event.target.value),
    onBlur: () => form.markTouched(name),
    ...form.lengthLimit(name),
  });

  return (
    <form
      ref={element}
      className={formScreen.form}
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      <p className={styles.step}>{t`Step ${place} of ${steps.length}`}</p>
      <p className={styles.lead}>
        {step === 'who' && t`We send you a code, with which you set a new password.`}
        {step === 'code' && <CodeSentNotice forget={forget} />}
        {step === 'password' && t`Choose the password that you log in with from now on.`}
      </p>
      {step !== 'password' && (
        <p className={styles.note}>
          <Trans>
            Only verified mobile numbers and e-mail addresses get a code. If yours is not verified,
            ask{' '}
            <Link to="/m/service" className={styles.service}>
              customer service
            </Link>
            .
          </Trans>
        </p>
      )}
      {step === 'who' && forget.channels.length > 1 && (
        <Segmented
          label={t`Way to get the code`}
          value={channel}
          onChange={forget.setChannel}
          options={[
            { value: 'sms', label: t`Text message`, icon: 'device-mobile' },
            { value: 'email', label: t`E-mail`, icon: 'envelope-simple' },
          ]}
        />
      )}
      <FormError text={form.failure} />
      {step === 'who' && channel === 'sms' && (
        <PhoneField
          {...shared('mobileNum')}
          label={t`Mobile number`}
          required
          countries={setting.dialingCodes}
          dialing={forget.dialing}
          onDialingChange={forget.setDialing}
        />
      )}
      {step === 'who' && channel === 'email' && (
        <Field
          {...shared('email')}
          label={t`E-mail`}
          icon="envelope-simple"
          type="email"
          dir="ltr"
          required
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      {step === 'who' && (
        <Field
          {...shared('username')}
          label={t`Username`}
          icon="user"
          placeholder={t`Optional`}
          hint={t`If you still know it: a code then goes to this account only.`}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      {step === 'code' && (
        <button type="button" className={styles.change} onClick={() => forget.stepBack()}>
          {channel === 'sms' ? t`Wrong number? Change it` : t`Wrong address? Change it`}
        </button>
      )}
      {step === 'code' && (
        <CodeField
          {...shared('verificationCode')}
          target={forget.target}
          canSend
          onCaptchaMissing={
            forget.needsCaptcha && !form.isGood('captcha')
              ? () => showError(new ApiError('captcha.required', 422))
              : undefined
          }
          send={sendAgain}
          demo={demo}
          aria-required
        />
      )}
      {forget.needsCaptcha && (
        <CaptchaField
          {...shared('captcha')}
          hint={
            step === 'code'
              ? t({ id: 'in_vwrite_code', message: 'Enter the captcha to get a code' })
              : undefined
          }
          aria-required
          load={captchaPicture}
          round={forget.captchaRound}
          onRenew={() => form.setValue('captcha', '')}
        />
      )}
      {step === 'password' && (
        <NewPasswordFields form={form} rules={setting.rules['newPassword'] ?? []} />
      )}
      <Button type="submit" full busy={busy} className={styles.submit}>
        {step === 'password' && t`Set the new password`}
        {step === 'code' && t`Continue`}
        {step === 'who' && (forget.waiting ? t`Continue` : t`Send code`)}
      </Button>
    </form>
  );
}

/** Does not reveal whether the account exists. */
function CodeSentNotice({ forget: { channel, dialing, lost } }: { forget: Forget }) {
  const to = channel === 'sms' ? `+${dialing} ${lost.mobileNum}` : lost.email;
  return (
    <Trans>
      If there is an account with <bdi dir="ltr">{to}</bdi>, a code is on its way.
    </Trans>
  );
}
