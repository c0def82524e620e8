import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';

import { useValidatedForm } from '../../api/form.ts';
import {
  verifyResetCode,
  resetPassword,
  sendResetCode,
  type Channel,
  type ResetTarget,
} from '../../api/password.ts';
import { registerSettingQuery, type RegisterSetting } from '../../api/registration.ts';
import { errorOfThrown } from '../../i18n/api-error.ts';
import { Draft } from '../../lib/draft.ts';
import { nationalNumber, subscriberNumber } from '../../lib/phone.ts';
import { Rules, trimSpaces, type Values } from '../../lib/validation/rules.ts';
import {
  endCountdown,
  startCountdown,
  useCountdown,
  type SentCode,
} from '../../ui/form/countdown.ts';
import { fieldsOf, rulesOf, type Step } from './fields.ts';

/** A verified code and the ticket it was exchanged for. */
type Proof = { target: string; code: string; ticket: string };

/** The saved progress. It survives a reload, because the code may arrive late. */
type Progress = {
  step: Step;
  channel: Channel;
  dialing: string;
  values: Values;
  proof: Proof | null;
};

/** Kept anywhere in the app. Codes and tickets are not stored. */
const draft = new Draft<Progress>(/^\/m\//, {
  key: 'forgetDraft',
  part: ({ step, values, ...rest }) => ({
    ...rest,
    step: step === 'password' ? 'code' : step,
    values: { ...values, verificationCode: '' },
    proof: null,
  }),
});

/** The fields that are saved. Passwords and captchas are not. */
const savedFields = ['mobileNum', 'email', 'username', 'verificationCode'];

export type Forget = ReturnType<typeof useForget>;

/** The state of a password reset: account, code, new password. Errors never clear the typed values. */
export function useForget(setting: RegisterSetting, country: string) {
  const cache = useQueryClient();
  const channels = channelsOf(setting);
  const [saved] = useState(draft.value);
  const [step, setStep] = useState<Step>(saved?.step ?? 'who');
  const [chosen, setChannel] = useState<Channel>(saved?.channel ?? 'sms');
  const channel = channels.includes(chosen) ? chosen : (channels[0] ?? 'sms');
  const [dialing, setDialing] = useState(() => saved?.dialing ?? dialingOf(setting, country));
  const [proof, setProof] = useState<Proof | null>(saved?.proof ?? null);
  /** Changes with each captcha: one is valid for one request. */
  const [captchaRound, setCaptchaRound] = useState(0);
  /** Whether the next code needs another captcha. */
  const [needsAnother, setNeedsAnother] = useState(false);

  // The countdown depends on the typed values, and the form's fields on the countdown.
  const [target, setTarget] = useState('');
  const waiting = useCountdown(target) > 0;
  const needsCaptcha =
    setting.reset.captcha && (step === 'who' ? !waiting : needsAnother && !waiting);
  const fields = fieldsOf(step, channel, needsCaptcha);
  const names = fields.join();
  const rules = useMemo(
    () =>
      new Rules(rulesOf(setting, names.split(','), dialing), {
        mobileNum: (typed) => nationalNumber(typed, dialing),
      }),
    [setting, names, dialing],
  );
  const form = useValidatedForm(fields, rules, saved?.values);

  const sent = (name: string) => trimSpaces(form.getValue(name));
  const lost: ResetTarget = {
    channel,
    mobileNum: subscriberNumber(form.getValue('mobileNum'), dialing),
    countryDialingCode: dialing,
    email: sent('email'),
    username: sent('username'),
  };
  const to = channel === 'sms' ? `sms/${dialing}/${lost.mobileNum}` : `email/${lost.email}`;
  // A code is for one account, so another name starts another countdown.
  const currentTarget = `reset/${to}/${lost.username.toLowerCase()}`;
  if (currentTarget !== target) setTarget(currentTarget);

  const { values } = form;
  useEffect(() => {
    const pairs = savedFields.map((name) => [name, values[name] ?? '']);
    draft.keep({ step, channel, dialing, proof, values: Object.fromEntries(pairs) });
  }, [step, channel, dialing, proof, values]);

  function renewCaptcha(): void {
    form.setValue('captcha', '');
    setCaptchaRound((before) => before + 1);
  }

  async function send(): Promise<SentCode> {
    try {
      const sentCode = await sendResetCode(lost, needsCaptcha ? sent('captcha') : '');
      setNeedsAnother(false);
      return sentCode;
    } catch (thrown) {
      // The merchant may have turned the captcha on after the settings were read.
      if (errorOfThrown(thrown).code === 'captcha.required' && !setting.reset.captcha)
        await cache.invalidateQueries(registerSettingQuery);
      throw thrown;
    } finally {
      if (needsCaptcha) renewCaptcha();
    }
  }

  async function prove(): Promise<void> {
    const code = sent('verificationCode');
    // A code yields one ticket, which stays valid when the member goes back and forward.
    if (proof?.code !== code || proof.target !== target)
      setProof({ target, code, ticket: await verifyResetCode(lost, code) });
    setStep('password');
  }

  /** Returns the member's name, or null if the ticket expired and a new code is needed. */
  async function finish(): Promise<string | null> {
    const newPassword = form.getValue('newPassword');
    const confirmNewPassword = form.getValue('confirmNewPassword');
    try {
      const ticket = proof?.ticket ?? '';
      const name = await resetPassword({ ticket, newPassword, confirmNewPassword });
      draft.drop();
      return name;
    } catch (thrown) {
      if (errorOfThrown(thrown).code !== 'member.reset_stale') throw thrown;
      setProof(null);
      form.setValue('verificationCode', '');
      endCountdown(target);
      setStep('code');
      form.showServerError(thrown);
      return null;
    }
  }

  return {
    form,
    fields,
    step,
    channel,
    channels,
    setChannel,
    dialing,
    setDialing,
    /** The key of the countdown for this recipient. */
    target,
    waiting,
    captchaRound,
    needsCaptcha,
    lost,
    renewCaptcha,
    /** Shows the captcha that another code needs. Returns false if none is needed or it is already shown. */
    requireCaptcha(): boolean {
      if (!setting.reset.captcha || needsAnother) return false;
      setNeedsAnother(true);
      return true;
    },
    send,
    /** Goes to the next step, or returns the member's name at the end. */
    async next(): Promise<string | null> {
      if (step === 'password') return finish();
      if (step === 'code') await prove();
      else {
        if (!waiting) startCountdown(target, await send());
        setStep('code');
      }
      return null;
    },
    stepBack(): boolean {
      if (step === 'who') return false;
      form.clearError();
      setStep(step === 'password' ? 'code' : 'who');
      return true;
    },
  };
}

/** The channels that both the server and this app support. */
export function channelsOf(setting: RegisterSetting): Channel[] {
  return (['sms', 'email'] as const).filter((one) => setting.reset.channels.includes(one));
}

function dialingOf({ dialingCodes }: RegisterSetting, country: string): string {
  return (dialingCodes.find(({ code }) => code === country) ?? dialingCodes[0])?.code ?? '';
}
