import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';

import { challenge } from '../../api/captcha.ts';
import { ApiError, describeError, errorOfThrown } from '../../api/error.ts';
import {
  isInvitationKnown,
  isUsernameFree,
  register,
  sendRegisterCode,
  type Method,
  type RegisterSetting,
} from '../../api/registration.ts';
import { settingsQuery } from '../../api/system.ts';
import { Link } from '../../lib/router.tsx';
import { trimOuter } from '../../lib/validation/rules.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { CodeField } from '../../ui/form/CodeField.tsx';
import { SliderSheet } from '../../ui/form/SliderSheet.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { toast } from '../../ui/toastStore.ts';
import { DialingSelect } from './DialingSelect.tsx';
import { fieldOfCode, isTrimmed, openMethods } from './fields.ts';
import { RegisterField } from './RegisterField.tsx';
import { useRegisterForm } from './useRegisterForm.ts';

import styles from './RegisterScreen.module.css';

type RegisterFormProps = {
  setting: RegisterSetting;
  /** The merchant's own country. */
  dialingCode: string;
};

/** What the merchant asks newcomers for. Whatever goes wrong, what was typed stays. */
export function RegisterForm({ setting, dialingCode }: RegisterFormProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const methods = openMethods(setting);
  const [method, setMethod] = useState<Method>(
    methods.includes('username') ? 'username' : 'mobile',
  );
  const [dialing, setDialing] = useState(
    () =>
      (setting.dialingCodes.find(({ code }) => code === dialingCode) ?? setting.dialingCodes[0])
        ?.code ?? '',
  );
  const country = setting.dialingCodes.find(({ code }) => code === dialing);
  const form = useRegisterForm(setting, method, country);
  const element = useRef<HTMLFormElement>(null);
  const [agreed, setAgreed] = useState(setting.agreement);
  const [round, setRound] = useState(0);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [pass, setPass] = useState('');
  const [checking, setChecking] = useState<'no' | 'only' | 'andSend'>('no');
  const [free, setFree] = useState('');

  const sent = (name: string) => (isTrimmed(name) ? trimOuter(form.typed(name)) : form.typed(name));
  const mobile = sent('mobileNum').replace(/^0/, '');

  function focus(name: string): void {
    const input = element.current?.elements.namedItem(name);
    if (input instanceof HTMLInputElement) input.focus();
  }

  /** Puts a refusal under its field, or above all of them. */
  function tell(thrown: unknown): void {
    const error = errorOfThrown(thrown);
    const field = error.field ?? fieldOfCode(error.code);
    const shown = form.fields.some(({ name }) => name === field);
    if (field && shown) {
      form.refuse(field, error, field === 'captcha' ? '' : form.typed(field));
      focus(field);
    } else setFailure(error);
  }

  /** Each picture is good for one answer. */
  function renewPicture(): void {
    form.type('captcha', '');
    setRound(round + 1);
  }

  async function leave(name: string): Promise<void> {
    form.leave(name);
    const username = sent('username');
    if (name !== 'username' || username === free || !form.isGood('username')) return;
    // Without an answer nothing is said: registering tells.
    const available = await isUsernameFree(username).catch(() => null);
    if (available) setFree(username);
    if (available === false) form.refuse('username', new ApiError('member.username_taken', 409));
  }

  async function sendCode() {
    setFailure(null);
    const captcha = sent('captcha');
    try {
      const sending = await sendRegisterCode(mobile, dialing, captcha);
      toast.success(t`The code is on its way`);
      return sending;
    } catch (thrown) {
      tell(thrown);
      return null;
    } finally {
      if (captcha) renewPicture();
    }
  }

  async function isInvited(): Promise<boolean> {
    const code = sent('affiliateCode');
    if (code === '' || (await isInvitationKnown(code))) return true;
    const unknown = new ApiError('member.affiliate_unknown', 422);
    toast.error(describeError(unknown), { seconds: 1 });
    form.refuse('affiliateCode', unknown);
    focus('affiliateCode');
    return false;
  }

  async function send(challengePass: string): Promise<void> {
    const values = Object.fromEntries(form.fields.map(({ name }) => [name, sent(name)]));
    if (values['mobileNum']) values['mobileNum'] = mobile;
    const merchantCode = cache.getQueryData(settingsQuery.queryKey)?.merchantCode ?? '';
    try {
      const name = await register(
        {
          method,
          values,
          dialingCode: dialing,
          agreement: agreed,
          ageConfirmed: agreed,
          challenge: challengePass,
        },
        merchantCode,
      );
      toast.success(t`Welcome, ${name}!`, { seconds: 3 });
    } catch (thrown) {
      setPass('');
      if (form.fields.some(({ name }) => name === 'captcha')) renewPicture();
      tell(thrown);
    }
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy || !agreed) return;
    setBusy(true);
    setFailure(null);
    try {
      const wrong = await form.inspect();
      if (wrong) focus(wrong);
      if (wrong || !(await isInvited())) return;
      if (setting.slider.register && !pass) setChecking('andSend');
      else await send(pass);
    } catch (thrown) {
      tell(thrown);
    } finally {
      setBusy(false);
    }
  }

  async function passed(next: string): Promise<void> {
    setPass(next);
    setChecking('no');
    if (checking !== 'andSend') return;
    setBusy(true);
    await send(next).finally(() => setBusy(false));
  }

  function reset(): void {
    form.reset();
    setFailure(null);
    setPass('');
    setFree('');
    setAgreed(setting.agreement);
    setRound(round + 1);
  }

  return (
    <form ref={element} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
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
      <div role="alert" className={styles.alert}>
        {failure !== null && (
          <div className={styles.failure}>
            <Icon name="warning-circle-fill" size={20} className={styles.failureMark} />
            {describeError(failure)}
          </div>
        )}
      </div>
      {form.fields.map((field) => (
        <div key={field.name} className={field.name === 'mobileNum' ? styles.phone : undefined}>
          <RegisterField
            field={field}
            form={form}
            method={method}
            round={round}
            free={field.name === 'username' && free !== '' && free === sent('username')}
            placeholder={field.name === 'mobileNum' ? country?.example : undefined}
            onLeave={(name) => void leave(name)}
            dialing={
              <DialingSelect codes={setting.dialingCodes} value={dialing} onChange={setDialing} />
            }
            codeField={
              <CodeField
                name={field.name}
                target={`register/${dialing}${mobile}`}
                canSend={form.isGood('mobileNum')}
                send={sendCode}
                required={field.requiredIn.includes(method)}
                maxLength={field.maxLength}
                value={form.typed(field.name)}
                errors={form.errorsOf(field.name)}
                onChange={(event) => form.type(field.name, event.target.value)}
                onBlur={() => form.leave(field.name)}
              />
            }
          />
        </div>
      ))}
      {setting.slider.register && (
        <button
          type="button"
          className={styles.slider}
          disabled={pass !== ''}
          onClick={() => setChecking('only')}
        >
          <span className={styles.sliderMark}>
            <Icon name={pass ? 'check-bold' : 'sliders-horizontal'} size={20} />
          </span>
          <span className={styles.sliderWords}>
            <strong>{t`Slider check`}</strong>
            <span>{pass ? t`Check passed` : t`Tap to open, it takes a few seconds`}</span>
          </span>
          <Icon name="caret-right" size={18} />
        </button>
      )}
      <Checkbox checked={agreed} onChange={setAgreed}>
        <Trans>
          I am {setting.ageLimit} or older and agree to the{' '}
          <Link to="/m/userAgreement" className={styles.link}>
            user agreement
          </Link>{' '}
          and the{' '}
          <Link to="/m/policy/privacy" className={styles.link}>
            privacy policy
          </Link>
          .
        </Trans>
      </Checkbox>
      <p className={styles.login}>
        {t`Already have an account?`}{' '}
        <Link to="/m/login" replace className={styles.link}>
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
      <SliderSheet
        open={checking !== 'no'}
        onClose={() => setChecking('no')}
        challenge={challenge}
        onPass={(next) => void passed(next)}
      />
    </form>
  );
}
