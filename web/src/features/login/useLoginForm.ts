import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';

import { prefetchServerKey } from '../../api/encrypted-body.ts';
import { PhoneProof } from '../../api/firebase.ts';
import { useValidatedForm } from '../../api/form.ts';
import { takeLoginName } from '../../api/next-login.ts';
import { prefetchProof } from '../../api/proof-of-work.ts';
import { registerSettingQuery } from '../../api/registration.ts';
import { smsLoginFlag } from '../../api/switches.gen.ts';
import { settingsQuery, switchesQuery } from '../../api/system.ts';
import { Draft } from '../../lib/draft.ts';
import { nationalNumber, subscriberNumber } from '../../lib/phone.ts';
import { Rules, trimSpaces } from '../../lib/validation/rules.ts';
import { rulesOf, type Mode } from './rules.ts';

type Saved = { mode: Mode; dialing: string; username: string; mobileNum: string };

/** Keeps the typed values while the member visits related screens. Never keeps the password. */
const draft = new Draft<Saved>(/^\/m\/(?:login|forget|register|trail|userAgreement|policy)\b/, {
  key: 'loginDraft',
  // A stored login may fill in the name.
  part: (saved) => ({ ...saved, username: '' }),
});

export type LoginForm = ReturnType<typeof useLoginForm>;

/** The fields of the chosen mode. Changing the mode keeps the typed values. */
export function useLoginForm() {
  const { data: settings } = useQuery(settingsQuery);
  const { data: switches } = useQuery(switchesQuery);
  const { data: setting } = useQuery(registerSettingQuery);
  // A new password belongs to a username, whatever mode was chosen before.
  const [resetName] = useState(takeLoginName);
  const [chosen, setMode] = useState<Mode>(
    resetName ? 'username' : (draft.value?.mode ?? 'username'),
  );
  const [chosenDialing, setDialing] = useState(draft.value?.dialing ?? '');
  /** Changes with each captcha; 0 until one is required. */
  const [captchaRound, setCaptchaRound] = useState(0);

  const [proof] = useState(() => new PhoneProof());
  /** Set if Firebase sends and checks the codes instead of this server. */
  const codes = settings?.signIn.firebase?.codes ?? null;
  const hasNumberMode =
    switches?.flag(smsLoginFlag) === true && (codes !== null || settings?.signIn.sms === true);
  const mode = hasNumberMode ? chosen : 'username';
  const dialing = chosenDialing || (settings?.countryDialingCode ?? '');
  const countries = setting?.dialingCodes ?? [
    { code: dialing, country: '', example: '', digits: 0 },
  ];
  const country = setting?.dialingCodes.find(({ code }) => code === dialing);
  const captcha = captchaRound > 0 || setting?.loginCaptcha === true;
  const rules = useMemo(
    () =>
      new Rules(rulesOf(setting, mode, country, captcha), {
        mobileNum: (typed) => nationalNumber(typed, dialing),
      }),
    [setting, mode, country, captcha, dialing],
  );
  const [initial] = useState(() => ({
    username: resetName || (draft.value?.username ?? ''),
    mobileNum: draft.value?.mobileNum ?? '',
  }));
  const form = useValidatedForm(rules.names, rules, initial);
  const { username = '', mobileNum = '' } = form.values;

  useEffect(() => {
    draft.keep({ mode: chosen, dialing: chosenDialing, username, mobileNum });
  }, [chosen, chosenDialing, username, mobileNum]);

  const encrypted = setting?.loginEncrypted === true;
  useEffect(() => {
    if (encrypted) prefetchServerKey();
  }, [encrypted]);

  useEffect(() => void prefetchProof('login'), []);

  const mobile = subscriberNumber(mobileNum, dialing);

  return {
    ...form,
    setting,
    demo: settings?.demo,
    hasNumberMode,
    mode,
    setMode,
    countries,
    dialing,
    setDialing,
    codes,
    proof,
    /** In E.164 format. */
    number: `+${dialing}${mobile}`,
    captchaRound,
    needsCaptcha: captcha,
    /** Loads another captcha: each is valid for one request. */
    renewCaptcha() {
      setCaptchaRound((before) => before + 1);
      form.setValue('captcha', '');
    },
    /** The values to send: trimmed, and the number without its leading zero. */
    sent: {
      username: trimSpaces(username),
      password: form.getValue('password'),
      mobile,
      code: trimSpaces(form.getValue('verificationCode')),
      captcha: captcha ? form.getValue('captcha') : '',
    },
  };
}
