import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type FormEvent } from 'react';

import { challengeOf } from '../../api/captcha.ts';
import { useExternalLogins } from '../../api/external-login.ts';
import { prefetchProof } from '../../api/proof-of-work.ts';
import type { DialingCode, Method, RegisterSetting } from '../../api/registration.ts';
import { Draft } from '../../lib/draft.ts';
import { focusField } from '../../lib/focus.ts';
import { Link } from '../../lib/router.tsx';
import type { Values } from '../../lib/validation/rules.ts';
import { onTheWay } from '../../lib/way-back.ts';
import { Button } from '../../ui/Button.tsx';
import { CodeField } from '../../ui/form/CodeField.tsx';
import { ExternalLogins } from '../../ui/form/ExternalLogins.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { useHumanCheck } from '../../ui/form/HumanCheckSheet.tsx';
import { SliderCheck } from '../../ui/form/SliderCheck.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { AgeBox, ageField } from './AgeBox.tsx';
import { Agreement } from './Agreement.tsx';
import { supportedMethods } from './fields.ts';
import { RegisterField } from './RegisterField.tsx';
import { useRegisterForm } from './useRegisterForm.ts';
import { useRegistration } from './useRegistration.ts';

import formScreen from '../../ui/form/form-screen.module.css';
import styles from './RegisterScreen.module.css';

type RegisterFormProps = {
  setting: RegisterSetting;
  dialingCode: string;
  target: string;
};

type Typed = { method: Method; dialing: string; values: Values; agreed: boolean; ofAge: boolean };

/** Keeps the typed values while the visitor reads the agreement. */
const draft = new Draft<Typed>(/^\/m\/(?:register(?:\.html)?|userAgreement|policy\/[^/]*)$/, {
  key: 'registerDraft',
  // Stores only the number that a code was sent to: others may use this browser next.
  part: ({ values, ...rest }) => ({
    ...rest,
    ofAge: false,
    values: { mobileNum: values['mobileNum'] ?? '' },
  }),
});

/** The invitation code of a link that a member shared. */
function invitation(): Values {
  const code = new URLSearchParams(location.search).get('code');
  return code ? { affiliateCode: code } : {};
}

export function RegisterForm({ setting, dialingCode, target }: RegisterFormProps) {
  const { t } = useLingui();
  const ways = useExternalLogins(target);
  const methods = supportedMethods(setting);
  const [saved] = useState(draft.value);
  const [chosen, setMethod] = useState<Method>(saved?.method ?? 'username');
  const method = methods.includes(chosen) ? chosen : (methods[0] ?? 'username');
  const [dialing, setDialing] = useState(
    () => saved?.dialing ?? defaultDialingCode(setting.dialingCodes, dialingCode),
  );
  const country = setting.dialingCodes.find(({ code }) => code === dialing);
  const [needsCaptcha, setNeedsCaptcha] = useState(false);
  const form = useRegisterForm(setting, {
    method,
    country,
    needsCaptcha,
    initial: { ...invitation(), ...saved?.values },
  });
  const element = useRef<HTMLFormElement>(null);
  const [agreed, setAgreed] = useState(saved?.agreed ?? setting.agreement);
  const [ofAge, setOfAge] = useState(saved?.ofAge ?? false);
  const [ageMissing, setAgeMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [checking, setChecking] = useState<'no' | 'only' | 'andSend'>('no');

  const { values } = form;
  useEffect(() => void prefetchProof('register'), []);

  useEffect(() => {
    // A captcha is valid for one request.
    draft.keep({ method, dialing, agreed, ofAge, values: { ...values, captcha: '' } });
  }, [method, dialing, agreed, ofAge, values]);

  useEffect(() => {
    if (needsCaptcha) focusField(element.current, 'captcha');
  }, [needsCaptcha]);

  const focus = (name: string) => focusField(element.current, name);
  const person = useHumanCheck();
  const registration = useRegistration(form, {
    setting,
    method,
    dialing,
    agreed,
    ofAge,
    focus,
    askPerson: person.check,
    onCaptchaRequired: setNeedsCaptcha,
    onDone: () => draft.drop(),
  });

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy || !agreed) return;
    setBusy(true);
    form.clearError();
    setAgeMissing(!ofAge);
    try {
      const wrong = form.validateAll() || (ofAge ? '' : ageField);
      if (wrong) focus(wrong);
      if (wrong || !(await registration.isInvited())) return;
      if (setting.slider.register && !registration.pass) setChecking('andSend');
      else await registration.send(registration.pass);
    } catch (thrown) {
      registration.showError(thrown);
    } finally {
      setBusy(false);
    }
  }

  async function passed(next: string): Promise<void> {
    registration.setPass(next);
    setChecking('no');
    if (checking !== 'andSend') return;
    setBusy(true);
    await registration.send(next).finally(() => setBusy(false));
  }

  function reset(): void {
    form.reset();
    for (const { name } of form.fields) form.setValue(name, '');
    registration.reset();
    setAgreed(setting.agreement);
    setOfAge(false);
    setAgeMissing(false);
  }

  return (
    <form
      ref={element}
      className={formScreen.form}
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      {methods.length > 1 && (
        <Segmented
          label={t`Way to register`}
          value={method}
          onChange={setMethod}
          options={[
            { value: 'username', label: t`Username`, icon: 'user' },
            { value: 'mobile', label: t`Mobile number`, icon: 'device-mobile' },
          ]}
        />
      )}
      <FormError text={form.failure} />
      {form.fields.map((field) => (
        <RegisterField
          key={field.name}
          field={field}
          form={form}
          method={method}
          round={registration.captchaRound}
          free={field.name === 'username' && registration.free}
          onLeave={(name) => void registration.onBlur(name)}
          countries={setting.dialingCodes}
          dialing={dialing}
          onDialingChange={setDialing}
          codeField={
            <CodeField
              name={field.name}
              target={`register/${dialing}${registration.mobile}`}
              canSend={form.isGood('mobileNum')}
              onCaptchaMissing={registration.onCaptchaMissing}
              send={registration.sendCode}
              required={field.requiredIn.includes(method)}
              maxLength={field.maxLength}
              value={form.getValue(field.name)}
              errors={form.errorsOf(field.name)}
              onChange={(event) => form.setValue(field.name, event.target.value)}
              onBlur={() => form.markTouched(field.name)}
            />
          }
        />
      ))}
      {setting.slider.register && (
        <SliderCheck
          passed={registration.pass !== ''}
          open={checking !== 'no'}
          onOpen={() => setChecking('only')}
          onClose={() => setChecking('no')}
          challenge={challengeOf(setting.slider)}
          onPass={(next) => void passed(next)}
        />
      )}
      {person.sheet}
      <AgeBox age={setting.ageLimit} checked={ofAge} missing={ageMissing} onChange={setOfAge} />
      <Agreement checked={agreed} onChange={setAgreed} />
      <ExternalLogins logins={ways} />
      <p className={styles.login}>
        {t`Already have an account?`}{' '}
        <Link to={onTheWay('/m/login', target)} replace className={styles.link}>
          {t`Login`}
        </Link>
      </p>
      <div className={styles.actions}>
        <Button variant="secondary" icon="arrow-clockwise" onPress={reset}>
          {t`Reset`}
        </Button>
        <Button type="submit" full busy={busy} disabled={!agreed}>
          {t`Register`}
        </Button>
      </div>
    </form>
  );
}

/** Returns the merchant's code, or the first one if it is not offered. */
function defaultDialingCode(codes: readonly DialingCode[], own: string): string {
  return (codes.find(({ code }) => code === own) ?? codes[0])?.code ?? '';
}
