import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';

import { useRuledForm } from '../../api/form.ts';
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
import { Rules, trimOuter, type Values } from '../../lib/validation/rules.ts';
import {
  endCountdown,
  startCountdown,
  useCountdown,
  type SentCode,
} from '../../ui/form/countdown.ts';
import { fieldsOf, rulesOf, type Step } from './fields.ts';

/** A code that was right, and what it was changed for. */
type Proof = { target: string; code: string; ticket: string };

/** How far somebody came. A wait for a code may be spent elsewhere, and outlasts a reload. */
type Progress = {
  step: Step;
  channel: Channel;
  dialing: string;
  values: Values;
  proof: Proof | null;
};

/** Anywhere in the app. Codes and tickets go with the page. */
const draft = new Draft<Progress>(/^\/m\//, {
  key: 'forgetDraft',
  part: ({ step, values, ...rest }) => ({
    ...rest,
    step: step === 'password' ? 'code' : step,
    values: { ...values, verificationCode: '' },
    proof: null,
  }),
});

/** What may be kept: passwords and what a picture said are not. */
const lasting = ['mobileNum', 'email', 'username', 'verificationCode'];

export type Forget = ReturnType<typeof useForget>;

/**
 * The way to a new password: who it is, the code that they were sent, the password. Whatever goes wrong, what was typed
 * stays.
 */
export function useForget(setting: RegisterSetting, country: string) {
  const cache = useQueryClient();
  const channels = channelsOf(setting);
  const [kept] = useState(draft.value);
  const [step, setStep] = useState<Step>(kept?.step ?? 'who');
  const [chosen, setChannel] = useState<Channel>(kept?.channel ?? 'sms');
  const channel = channels.includes(chosen) ? chosen : (channels[0] ?? 'sms');
  const [dialing, setDialing] = useState(() => kept?.dialing ?? dialingOf(setting, country));
  const [proof, setProof] = useState<Proof | null>(kept?.proof ?? null);
  /** Counts the pictures: each is good for one answer. */
  const [round, setRound] = useState(0);
  /** Another code is wanted, for which another picture must be read. */
  const [another, setAnother] = useState(false);

  // The wait belongs to what is typed, which is in the form; the form's fields depend on the wait.
  const [target, setTarget] = useState('');
  const waiting = useCountdown(target) > 0;
  const pictured = setting.reset.captcha && (step === 'who' ? !waiting : another && !waiting);
  const fields = fieldsOf(step, channel, pictured);
  const names = fields.join();
  const rules = useMemo(
    () =>
      new Rules(rulesOf(setting, names.split(','), dialing), {
        mobileNum: (typed) => nationalNumber(typed, dialing),
      }),
    [setting, names, dialing],
  );
  const form = useRuledForm(fields, rules, kept?.values);

  const sent = (name: string) => trimOuter(form.typed(name));
  const lost: ResetTarget = {
    channel,
    mobileNum: subscriberNumber(form.typed('mobileNum'), dialing),
    countryDialingCode: dialing,
    email: sent('email'),
    username: sent('username'),
  };
  const to = channel === 'sms' ? `sms/${dialing}/${lost.mobileNum}` : `email/${lost.email}`;
  // A code is for one account: with another name there is none to wait for.
  const wanted = `reset/${to}/${lost.username.toLowerCase()}`;
  if (wanted !== target) setTarget(wanted);

  const { values } = form;
  useEffect(() => {
    const most = lasting.map((name) => [name, values[name] ?? '']);
    draft.keep({ step, channel, dialing, proof, values: Object.fromEntries(most) });
  }, [step, channel, dialing, proof, values]);

  function renewPicture(): void {
    form.type('captcha', '');
    setRound((before) => before + 1);
  }

  async function send(): Promise<SentCode> {
    try {
      const sentCode = await sendResetCode(lost, pictured ? sent('captcha') : '');
      setAnother(false);
      return sentCode;
    } catch (thrown) {
      // The merchant may have begun to ask for it since the settings were read.
      if (errorOfThrown(thrown).code === 'captcha.required' && !setting.reset.captcha)
        await cache.invalidateQueries(registerSettingQuery);
      throw thrown;
    } finally {
      if (pictured) renewPicture();
    }
  }

  async function prove(): Promise<void> {
    const code = sent('verificationCode');
    // A code is good for one ticket, which is still here after a look back.
    if (proof?.code !== code || proof.target !== target)
      setProof({ target, code, ticket: await verifyResetCode(lost, code) });
    setStep('password');
  }

  /** Gives the name of the member who has a new password, or nothing where the way must be gone again. */
  async function finish(): Promise<string | null> {
    const newPassword = form.typed('newPassword');
    const confirmNewPassword = form.typed('confirmNewPassword');
    try {
      const ticket = proof?.ticket ?? '';
      const name = await resetPassword({ ticket, newPassword, confirmNewPassword });
      draft.drop();
      return name;
    } catch (thrown) {
      if (errorOfThrown(thrown).code !== 'member.reset_stale') throw thrown;
      setProof(null);
      form.type('verificationCode', '');
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
    /** Where the code goes to, as the wait for another one knows it. */
    target,
    waiting,
    round,
    pictured,
    lost,
    renewPicture,
    /** Asks for the picture that another code takes; false where none is needed, or it is there already. */
    askPicture(): boolean {
      if (!setting.reset.captcha || another) return false;
      setAnother(true);
      return true;
    },
    send,
    /** Goes on to the next step, or ends with the name of the member. */
    async goOn(): Promise<string | null> {
      if (step === 'password') return finish();
      if (step === 'code') await prove();
      else {
        if (!waiting) startCountdown(target, await send());
        setStep('code');
      }
      return null;
    },
    /** One step back; false at the first. */
    stepBack(): boolean {
      if (step === 'who') return false;
      form.clearError();
      setStep(step === 'password' ? 'code' : 'who');
      return true;
    },
  };
}

/** The ways that the server can serve, of those that are known here. */
export function channelsOf(setting: RegisterSetting): Channel[] {
  return (['sms', 'email'] as const).filter((one) => setting.reset.channels.includes(one));
}

function dialingOf({ dialingCodes }: RegisterSetting, country: string): string {
  return (dialingCodes.find(({ code }) => code === country) ?? dialingCodes[0])?.code ?? '';
}
