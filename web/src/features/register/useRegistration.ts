import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { PhoneProof } from '../../api/firebase.ts';
import {
  isInvitationKnown,
  isUsernameFree,
  register,
  sendRegisterCode,
  type Method,
  type RegisterSetting,
} from '../../api/registration.ts';
import { settingsQuery } from '../../api/system.ts';
import { ApiError, describeError, errorOfThrown } from '../../i18n/api-error.ts';
import { subscriberNumber } from '../../lib/phone.ts';
import { navigate } from '../../lib/router.tsx';
import { trimSpaces } from '../../lib/validation/rules.ts';
import type { CheckHuman } from '../../ui/form/HumanCheckSheet.tsx';
import { toast } from '../../ui/toastStore.ts';
import { isTrimmed, isVerifiedByFirebase } from './fields.ts';
import type { RegisterForm } from './useRegisterForm.ts';

type Options = {
  setting: RegisterSetting;
  method: Method;
  dialing: string;
  agreed: boolean;
  ofAge: boolean;
  focus: (name: string) => void;
  askPerson: CheckHuman;
  /** Called when the server requires a captcha for the next code, or no longer does. */
  onCaptchaRequired: (isRequired: boolean) => void;
  onDone: () => void;
};

const invitations = ['affiliateCode', 'recommenderId'];

export function useRegistration(form: RegisterForm, options: Options) {
  const { setting, method, dialing, agreed, ofAge, focus, askPerson, onCaptchaRequired, onDone } =
    options;
  const { t } = useLingui();
  const cache = useQueryClient();
  const [captchaRound, setCaptchaRound] = useState(0);
  const [pass, setPass] = useState('');
  const [free, setFree] = useState('');
  const [proof] = useState(() => new PhoneProof());

  function sent(name: string): string {
    const field = form.fields.find((one) => one.name === name);
    return field && isTrimmed(field) ? trimSpaces(form.getValue(name)) : form.getValue(name);
  }

  const mobile = subscriberNumber(form.getValue('mobileNum'), dialing);
  const number = `+${dialing}${mobile}`;
  /** Set if Firebase sends and checks the codes instead of this server. */
  const codes = isVerifiedByFirebase(setting, method) ? setting.firebase : null;

  function showError(thrown: unknown): void {
    if (errorOfThrown(thrown).code === 'captcha.required') {
      onCaptchaRequired(true);
      // A captcha field that appears now shows its own error.
      if (!hasCaptcha) return;
    }
    const field = form.showServerError(thrown);
    if (field) focus(field);
  }

  /** A captcha is valid for one request. */
  function renewCaptcha(): void {
    form.setValue('captcha', '');
    setCaptchaRound(captchaRound + 1);
  }

  const hasCaptcha = form.fields.some(({ name }) => name === 'captcha');

  function requireCaptcha(): void {
    form.refuse('captcha', new ApiError('captcha.required', 422));
    focus('captcha');
  }

  async function onBlur(name: string): Promise<void> {
    form.markTouched(name);
    const username = sent('username');
    if (name !== 'username' || username === free || !form.isGood('username')) return;
    // A failed check shows no error: the registration checks again.
    const available = await isUsernameFree(username).catch(() => null);
    if (available) setFree(username);
    if (available === false) form.refuse('username', new ApiError('member.username_taken', 409));
  }

  async function sendCode() {
    form.clearError();
    const captcha = sent('captcha');
    try {
      if (codes) return await proof.send(codes, number, askPerson);
      const sentCode = await sendRegisterCode(mobile, dialing, captcha);
      onCaptchaRequired(false);
      return sentCode;
    } catch (thrown) {
      showError(thrown);
      return null;
    } finally {
      // Firebase does not use the captcha.
      if (captcha && !codes) renewCaptcha();
    }
  }

  /** Reports whether the given invitation codes exist. Shows an error if not. */
  async function isInvited(): Promise<boolean> {
    const given = invitations.filter((name) => sent(name) !== '');
    const known = await Promise.all(given.map((name) => isInvitationKnown(sent(name))));
    const wrong = given[known.indexOf(false)];
    if (wrong === undefined) return true;
    const unknown = new ApiError('member.affiliate_unknown', 422);
    toast.error(describeError(unknown), { seconds: 1 });
    form.refuse(wrong, unknown);
    focus(wrong);
    return false;
  }

  async function send(challengePass: string): Promise<void> {
    const own = form.fields.filter(({ enabled }) => enabled);
    const filled = Object.fromEntries(own.map(({ name }) => [name, sent(name)]));
    if (filled['mobileNum']) filled['mobileNum'] = mobile;
    if (codes) delete filled['verificationCode'];
    const merchantCode = cache.getQueryData(settingsQuery.queryKey)?.merchantCode ?? '';
    try {
      const phoneToken = codes && (await proof.token(codes, number, sent('verificationCode')));
      const name = await register(
        {
          method,
          values: filled,
          dialingCode: dialing,
          agreement: agreed,
          ageConfirmed: ofAge,
          challenge: challengePass,
          phoneToken: phoneToken ?? undefined,
        },
        merchantCode,
      );
      onDone();
      toast.success(t`Welcome, ${name}!`, {
        seconds: 8,
        action: { label: t`Set limits`, onPress: () => navigate('/m/member/limits') },
      });
    } catch (thrown) {
      if (errorOfThrown(thrown).code === 'outside.unproved') proof.forget();
      setPass('');
      if (hasCaptcha) renewCaptcha();
      showError(thrown);
    }
  }

  function reset(): void {
    setPass('');
    setFree('');
    setCaptchaRound(captchaRound + 1);
  }

  return {
    mobile,
    captchaRound,
    pass,
    setPass,
    free: free !== '' && free === sent('username'),
    onBlur,
    /** Set while this server's code needs a captcha that is not filled in. */
    onCaptchaMissing: hasCaptcha && !codes && !form.isGood('captcha') ? requireCaptcha : undefined,
    sendCode,
    isInvited,
    send,
    showError,
    reset,
  };
}
