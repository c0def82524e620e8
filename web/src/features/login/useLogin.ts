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

/** The minimum time between automatic logins, in case sessions end right after they start. */
const autoLoginPauseMs = 60_000;
let triedAt = Number.NEGATIVE_INFINITY;

type Options = {
  target: string;
  canRecall: boolean;
  /** Called after a failure, with the field to focus, if any. */
  onRefusal: (field: string | undefined) => void;
  /** The server requires the slider before the login. */
  onChallenge: () => void;
};

export function useLogin(form: LoginForm, { target, canRecall, onRefusal, onChallenge }: Options) {
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [remembers, setRemembers] = useState(false);
  const [pass, setPass] = useState('');
  /** Whether the server required the slider although the loaded settings do not. */
  const [challenged, setChallenged] = useState(false);

  async function submit(credentials: Credentials, isAutomatic: boolean): Promise<void> {
    setBusy(true);
    form.clearError();
    try {
      await logIn(cache, credentials, target);
      if (!isAutomatic) await store(credentials);
    } catch (thrown) {
      refuse(errorOfThrown(thrown), credentials, isAutomatic);
    } finally {
      setBusy(false);
    }
  }

  async function store(credentials: Credentials): Promise<void> {
    const record = recordOf(credentials, form.dialing);
    if (!record) return;
    if (!remembers) forgetRemembered();
    else await remember(record);
  }

  function refuse(error: ApiError, credentials: Credentials, isAutomatic: boolean): void {
    setPass('');
    if (error.code === 'outside.unproved') form.proof.forget();
    if (error.code.startsWith('challenge.')) setChallenged(true);
    if (error.code === 'challenge.required' && !isAutomatic) return onChallenge();
    if (credentials.type === 'username' && error.code === 'login.incorrect') {
      forgetRememberedOf(credentials.username);
      if (isAutomatic) {
        setRemembers(false);
        form.setValue('password', '');
      }
    } else if (
      isAutomatic &&
      !(error.unreachable || error.status >= 500 || dependsOnTarget(error))
    ) {
      setAutoLogin(false);
    }
    showError(error);
  }

  /** Shows an error, with a new captcha if one is required or was used. */
  function showError(error: ApiError): void {
    // The captcha field is not shown yet, and has its own error.
    const isHidden = error.code === 'captcha.required' && !form.needsCaptcha;
    if (isHidden) form.refuse('captcha', error, '');
    const field = isHidden
      ? 'captcha'
      : form.showServerError(form.mode === 'mobile' ? toNumberFields(error) : error);
    const isRequired =
      String(error.args['captcha']) === 'true' || error.code.startsWith('captcha.');
    const needsCaptcha = isRequired || form.needsCaptcha;
    if (needsCaptcha) form.renewCaptcha();
    onRefusal(needsCaptcha ? 'captcha' : field);
  }

  function fill(record: Remembered): void {
    setRemembers(true);
    if (record.type === 'sms') {
      form.setMode('mobile');
      form.setDialing(record.countryDialingCode);
      form.setValue('mobileNum', record.username);
    } else {
      form.setValue('username', record.username);
      form.setValue('password', record.password);
    }
  }

  /** Fills in the stored login unless the member has typed, and logs in if automatic login is on. */
  const restore = useEffectEvent((record: Remembered | null) => {
    if (!record || form.sent.username || form.sent.mobile) return;
    fill(record);
    const { type, username, password } = record;
    const isWanted = type === 'username' && password !== '' && isAutoLogin() && !currentSession();
    if (!isWanted || Date.now() - triedAt < autoLoginPauseMs) return;
    triedAt = Date.now();
    void submit({ type: 'username', username, password }, true);
  });

  useEffect(() => {
    let current = true;
    if (canRecall) void recall().then((record) => current && restore(record));
    return () => {
      current = false;
    };
  }, [canRecall]);

  return {
    busy,
    remembers,
    setRemembers,
    pass,
    setPass,
    challenged,
    showError: (thrown: unknown) => showError(errorOfThrown(thrown)),
    send: async (challenge: string) => {
      setBusy(true);
      try {
        await submit(await credentialsOf(form, challenge), false);
      } catch (thrown) {
        showError(errorOfThrown(thrown));
      } finally {
        setBusy(false);
      }
    },
  };
}

/** Reports whether the refusal depends on the target, so the stored login is still valid. */
const dependsOnTarget = (error: ApiError) => error.code === 'login.not_agent';

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

/** Returns the login to store. A number is stored without its code. */
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

/** Maps the request's field names to those of number mode. */
function toNumberFields(error: ApiError): ApiError {
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
