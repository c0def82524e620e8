import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type FormEvent } from 'react';

import { captchaPicture, challengeOf } from '../../api/captcha.ts';
import { sendLoginCode } from '../../api/login.ts';
import { focusField } from '../../lib/focus.ts';
import { homePath, Link } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { CaptchaField } from '../../ui/form/CaptchaField.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { CodeField } from '../../ui/form/CodeField.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { useHumanCheck } from '../../ui/form/HumanCheckSheet.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { PhoneField } from '../../ui/form/PhoneField.tsx';
import { SliderCheck } from '../../ui/form/SliderCheck.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { OtherLogins } from './OtherLogins.tsx';
import { useLogin } from './useLogin.ts';
import { useLoginForm } from './useLoginForm.ts';

import styles from './LoginScreen.module.css';

type LoginFormProps = {
  target?: string;
  /** Whether a login with a ticket from another service is running. */
  arriving?: boolean;
  failure?: string;
};

/** Logs in by username and password, or by number and code. Errors never clear the typed values. */
export function LoginForm(props: LoginFormProps) {
  const { target = homePath, arriving = false, failure = '' } = props;
  const { t } = useLingui();
  const element = useRef<HTMLFormElement>(null);
  const pending = useRef(false);
  const [checking, setChecking] = useState<'no' | 'only' | 'andSend'>('no');
  const form = useLoginForm();
  const person = useHumanCheck();
  const focus = (name: string | undefined) => {
    if (name) focusField(element.current, name);
  };
  const login = useLogin(form, {
    target,
    canRecall: !arriving && failure === '',
    onRefusal: focus,
    onChallenge: () => setChecking('andSend'),
  });
  const { mode, captchaRound, sent } = form;
  const slider = mode === 'username' && (form.setting?.slider.login === true || login.challenged);
  const busy = login.busy || arriving;

  useEffect(() => {
    if (captchaRound > 0) focusField(element.current, 'captcha');
  }, [captchaRound]);

  const shared = (name: string) => ({
    name,
    value: form.getValue(name),
    errors: form.errorsOf(name),
    onChange: (event: { target: { value: string } }) => form.setValue(name, event.target.value),
    ...form.lengthLimit(name),
  });

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy || pending.current) return;
    pending.current = true;
    form.clearError();
    try {
      const wrong = form.validateAll();
      if (wrong) focus(wrong);
      else if (slider && !login.pass) setChecking('andSend');
      else await login.send(slider ? login.pass : '');
    } finally {
      pending.current = false;
    }
  }

  async function onPassed(pass: string): Promise<void> {
    login.setPass(pass);
    setChecking('no');
    if (checking === 'andSend') await login.send(pass);
  }

  function requireCaptcha(): void {
    form.markTouched('captcha');
    focus('captcha');
  }

  async function sendCode() {
    form.clearError();
    try {
      if (form.codes) return await form.proof.send(form.codes, form.number, person.check);
      const sentCode = await sendLoginCode(sent.mobile, form.dialing, sent.captcha);
      if (sent.captcha) form.renewCaptcha();
      return sentCode;
    } catch (thrown) {
      login.showError(thrown);
      return null;
    }
  }

  return (
    <>
      <form
        ref={element}
        className={styles.form}
        onSubmit={(event) => void submit(event)}
        noValidate
      >
        {form.hasNumberMode && (
          <Segmented
            label={t`Way to log in`}
            value={mode}
            onChange={(next) => {
              form.clearError();
              form.setMode(next);
            }}
            options={[
              { value: 'username', label: t`Username` },
              { value: 'mobile', label: t`Mobile number` },
            ]}
          />
        )}
        <FormError
          text={form.failure || failure}
          more={
            form.failure && captchaRound > 0 ? t`Enter the captcha, then try again.` : undefined
          }
        />
        {mode === 'username' ? (
          <>
            <Field
              {...shared('username')}
              label={t`Username`}
              icon="user"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              enterKeyHint="next"
              onClear={() => form.setValue('username', '')}
            />
            <PasswordField
              {...shared('password')}
              label={t`Password`}
              autoComplete="current-password"
              enterKeyHint="go"
            />
          </>
        ) : (
          <>
            <PhoneField
              {...shared('mobileNum')}
              label={t`Mobile number`}
              countries={form.countries}
              dialing={form.dialing}
              onDialingChange={form.setDialing}
              onBlur={() => form.getValue('mobileNum') && form.markTouched('mobileNum')}
            />
            <CodeField
              {...shared('verificationCode')}
              target={`login/${form.dialing}${sent.mobile}`}
              canSend={form.isGood('mobileNum')}
              onCaptchaMissing={
                form.needsCaptcha && !form.codes && !form.isGood('captcha')
                  ? requireCaptcha
                  : undefined
              }
              send={sendCode}
              demo={form.demo && !form.codes}
              enterKeyHint="go"
            />
          </>
        )}
        {form.needsCaptcha && (
          <CaptchaField
            {...shared('captcha')}
            required
            load={captchaPicture}
            round={captchaRound}
            onRenew={() => form.setValue('captcha', '')}
          />
        )}
        {slider && (
          <SliderCheck
            passed={login.pass !== ''}
            open={checking !== 'no'}
            onOpen={() => setChecking('only')}
            onClose={() => setChecking('no')}
            challenge={challengeOf(form.setting?.slider)}
            onPass={(pass) => void onPassed(pass)}
          />
        )}
        <div className={styles.line}>
          <Checkbox checked={login.remembers} onChange={login.setRemembers}>
            {mode === 'username' ? t`Remember password` : t`Remember number`}
          </Checkbox>
          <Link to="/m/forget" className={styles.forgot}>
            {t`Forgot password?`}
          </Link>
        </div>
        <Button type="submit" full busy={busy}>
          {t`Login`}
        </Button>
      </form>
      {person.sheet}
      <OtherLogins external={mode === 'username'} target={target} />
    </>
  );
}
