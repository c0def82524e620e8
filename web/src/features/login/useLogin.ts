import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';

import { logIn, type Credentials } from '../../api/login.ts';
import {
  forgetRemembered,
  forgetRememberedOf,
  recall,
  remember,
  type Remembered,
} from '../../api/remembered-login.ts';
import { currentSession } from '../../api/session.ts';
import { ApiError, errorOfThrown } from '../../i18n/api-error.ts';
import { isAutoLogin, setAutoLogin } from '../../lib/auto-login.ts';
import type { LoginForm } from './useLoginForm.ts';

/** A session that ends right after it began must not be begun again and again. */
const restMs = 60_000;
let triedAt = Number.NEGATIVE_INFINITY;

type Options = {
  /** Where the login leads. */
  target: string;
  /** Whether what is remembered may be used; not while somebody comes back from elsewhere. */
  recalls: boolean;
  /** A failure was told: where to look next, if at a field. */
  onRefusal: (field: string | undefined) => void;
  /** The server wants the slider passed before it looks at what was sent. */
  onChallenge: () => void;
};

/** Logging in by what the form holds, or by what this device remembers. */
export function useLogin(form: LoginForm, { target, recalls, onRefusal, onChallenge }: Options) {
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [kept, setKept] = useState(false);
  const [pass, setPass] = useState('');
  /** The server wants the slider passed though the settings that are known here do not say so. */
  const [challenged, setChallenged] = useState(false);

  async function enter(credentials: Credentials, itself: boolean): Promise<void> {
    setBusy(true);
    form.clearError();
    try {
      await logIn(cache, credentials, target);
      if (!itself) await keep(credentials);
    } catch (thrown) {
      refuse(errorOfThrown(thrown), credentials, itself);
    } finally {
      setBusy(false);
    }
  }

  async function keep(credentials: Credentials): Promise<void> {
    const record = recordOf(credentials, form.dialing);
    if (!record) return;
    if (!kept) forgetRemembered();
    else await remember(record);
  }

  function refuse(error: ApiError, credentials: Credentials, itself: boolean): void {
    setPass('');
    if (error.code === 'outside.unproved') form.proof.forget();
    if (error.code.startsWith('challenge.')) setChallenged(true);
    if (error.code === 'challenge.required' && !itself) return onChallenge();
    if (credentials.type === 'username' && error.code === 'login.incorrect') {
      forgetRememberedOf(credentials.username);
      if (itself) {
        setKept(false);
        form.type('password', '');
      }
    } else if (itself && !(error.unreachable || error.status >= 500 || isOfTarget(error))) {
      setAutoLogin(false);
    }
    tell(error);
  }

  /** Says what is wrong, with a new picture where one is asked for or was used up. */
  function tell(error: ApiError): void {
    // The picture's field says so itself, though it is not there yet.
    const unseen = error.code === 'captcha.required' && !form.pictured;
    if (unseen) form.refuse('captcha', error, '');
    const field = unseen
      ? 'captcha'
      : form.showServerError(form.mode === 'mobile' ? ofNumber(error) : error);
    const asked = String(error.args['captcha']) === 'true' || error.code.startsWith('captcha.');
    const picture = asked || form.pictured;
    if (picture) form.renewPicture();
    onRefusal(picture ? 'captcha' : field);
  }

  function fill(record: Remembered): void {
    setKept(true);
    if (record.type === 'sms') {
      form.setMode('mobile');
      form.setDialing(record.countryDialingCode);
      form.type('mobileNum', record.username);
    } else {
      form.type('username', record.username);
      form.type('password', record.password);
    }
  }

  /** Fills the form with what is remembered, unless somebody was faster, and goes on by itself where that is wished. */
  const restore = useEffectEvent((record: Remembered | null) => {
    if (!record || form.sent.username || form.sent.mobile) return;
    fill(record);
    const { type, username, password } = record;
    const wished = type === 'username' && password !== '' && isAutoLogin() && !currentSession();
    if (!wished || Date.now() - triedAt < restMs) return;
    triedAt = Date.now();
    void enter({ type: 'username', username, password }, true);
  });

  useEffect(() => {
    let current = true;
    if (recalls) void recall().then((record) => current && restore(record));
    return () => {
      current = false;
    };
  }, [recalls]);

  return {
    busy,
    kept,
    setKept,
    pass,
    setPass,
    challenged,
    tell: (thrown: unknown) => tell(errorOfThrown(thrown)),
    /** Sends what the form holds. */
    send: async (challenge: string) => {
      setBusy(true);
      try {
        await enter(await credentialsOf(form, challenge), false);
      } catch (thrown) {
        // Firebase does not take the code.
        tell(errorOfThrown(thrown));
      } finally {
        setBusy(false);
      }
    },
  };
}

/** Whether the same record would log in to anywhere else. */
const isOfTarget = (error: ApiError) => error.code === 'login.not_agent';

async function credentialsOf(form: LoginForm, challenge: string): Promise<Credentials> {
  const { username, password, mobile, code, captcha } = form.sent;
  const countryDialingCode = form.dialing;
  if (form.mode === 'username') return { type: 'username', username, password, captcha, challenge };
  if (!form.codes)
    return { type: 'sms', username: mobile, password: code, countryDialingCode, captcha };
  return {
    type: 'firebase',
    firebaseChannel: 'sms',
    firebaseIdToken: await form.proof.token(form.codes, form.number, code),
    firebaseMobileNo: mobile,
    countryDialingCode,
    captcha,
  };
}

/** What can be remembered of a login: whoever came by a number is filled in again by it, whoever has proved it. */
function recordOf(credentials: Credentials, countryDialingCode: string): Remembered | null {
  switch (credentials.type) {
    case 'outside':
      return null;
    case 'firebase':
      return {
        type: 'sms',
        username: credentials.firebaseMobileNo,
        password: '',
        countryDialingCode,
      };
    default: {
      const { type, username, password } = credentials;
      return { type, username, password, countryDialingCode };
    }
  }
}

/** The call names number and code as a name and a password, or as Firebase's. */
function ofNumber(error: ApiError): ApiError {
  const names: Record<string, string> = {
    username: 'mobileNum',
    firebaseMobileNo: 'mobileNum',
    password: 'verificationCode',
    firebaseIdToken: 'verificationCode',
  };
  const { code, status, args, requestId } = error;
  const field = names[error.field ?? ''] ?? error.field;
  return new ApiError(code, status, { field, args, requestId });
}
