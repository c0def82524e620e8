import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';

import { prefetchServerKey } from '../../api/encrypted-body.ts';
import { PhoneProof } from '../../api/firebase.ts';
import { useRuledForm } from '../../api/form.ts';
import { takeLoginName } from '../../api/next-login.ts';
import { registerSettingQuery } from '../../api/registration.ts';
import { smsLoginFlag } from '../../api/switches.gen.ts';
import { settingsQuery, switchesQuery } from '../../api/system.ts';
import { Draft } from '../../lib/draft.ts';
import { nationalNumber, subscriberNumber } from '../../lib/phone.ts';
import { Rules, trimOuter } from '../../lib/validation/rules.ts';
import { rulesOf, type Mode } from './rules.ts';

type Kept = { mode: Mode; dialing: string; username: string; mobileNum: string };

/** What was typed stays while somebody looks for a password or an account; a password never does. */
const draft = new Draft<Kept>(/^\/m\/(?:login|forget|register|trail|userAgreement|policy)\b/, {
  key: 'loginDraft',
  // The name is for the record of the remembered login to say.
  part: (kept) => ({ ...kept, username: '' }),
});

export type LoginForm = ReturnType<typeof useLoginForm>;

/** The fields of the mode that is chosen, among those that can be. Changing the mode keeps what was typed. */
export function useLoginForm() {
  const { data: settings } = useQuery(settingsQuery);
  const { data: switches } = useQuery(switchesQuery);
  const { data: setting } = useQuery(registerSettingQuery);
  // A password that was just set is for a name, whatever way in was looked at before.
  const [named] = useState(takeLoginName);
  const [chosen, setMode] = useState<Mode>(named ? 'username' : (draft.value?.mode ?? 'username'));
  const [dialled, setDialing] = useState(draft.value?.dialing ?? '');
  /** How many pictures were asked for; none until a failure says that one is needed. */
  const [pictures, setPictures] = useState(0);

  const [proof] = useState(() => new PhoneProof());
  /** Who sends the code, and proves the number, in this server's place. */
  const codes = settings?.signIn.firebase?.codes ?? null;
  const byNumber =
    switches?.flag(smsLoginFlag) === true && (codes !== null || settings?.signIn.sms === true);
  const mode = byNumber ? chosen : 'username';
  const dialing = dialled || (settings?.countryDialingCode ?? '');
  const countries = setting?.dialingCodes ?? [
    { code: dialing, country: '', example: '', digits: 0 },
  ];
  const country = setting?.dialingCodes.find(({ code }) => code === dialing);
  const captcha = pictures > 0 || setting?.loginCaptcha === true;
  const rules = useMemo(
    () =>
      new Rules(rulesOf(setting, mode, country, captcha), {
        mobileNum: (typed) => nationalNumber(typed, dialing),
      }),
    [setting, mode, country, captcha, dialing],
  );
  const [initial] = useState(() => ({
    username: named || (draft.value?.username ?? ''),
    mobileNum: draft.value?.mobileNum ?? '',
  }));
  const form = useRuledForm(rules.names, rules, initial);
  const { username = '', mobileNum = '' } = form.values;

  useEffect(() => {
    draft.keep({ mode: chosen, dialing: dialled, username, mobileNum });
  }, [chosen, dialled, username, mobileNum]);

  const encrypted = setting?.loginEncrypted === true;
  useEffect(() => {
    if (encrypted) prefetchServerKey();
  }, [encrypted]);

  const mobile = subscriberNumber(mobileNum, dialing);

  return {
    ...form,
    setting,
    demo: settings?.demo,
    /** Whether there is a choice of modes. */
    byNumber,
    mode,
    setMode,
    countries,
    dialing,
    setDialing,
    codes,
    proof,
    /** E.164. */
    number: `+${dialing}${mobile}`,
    pictures,
    /** Whether what a picture says is asked for. */
    pictured: captcha,
    /** Another picture: each is good for one answer. */
    renewPicture() {
      setPictures((before) => before + 1);
      form.type('captcha', '');
    },
    /** As they are sent: without the spaces around them, a number without its 0. */
    sent: {
      username: trimOuter(username),
      password: form.typed('password'),
      mobile,
      code: trimOuter(form.typed('verificationCode')),
      captcha: captcha ? form.typed('captcha') : '',
    },
  };
}
