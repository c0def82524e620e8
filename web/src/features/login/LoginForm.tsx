import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';

import { captchaPicture } from '../../api/captcha.ts';
import { ApiError, describeError } from '../../api/error.ts';
import { logIn, type Credentials } from '../../api/member.ts';
import { settingsQuery } from '../../api/system.ts';
import { Link } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { CaptchaField } from '../../ui/form/CaptchaField.tsx';
import { Icon } from '../../ui/Icon.tsx';

import styles from './LoginScreen.module.css';

const longest = 64;
const longestCaptcha = 6;

type Typed = Required<Credentials>;

/**
 * Username and password, and what a picture says once the server asks for it. Whatever goes wrong, what was typed
 * stays; only a picture is good for one answer.
 */
export function LoginForm() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState<Typed>({ username: '', password: '', captcha: '' });
  const [checked, setChecked] = useState(false);
  /** How many pictures were asked for; none until a failure says that one is needed. */
  const [pictures, setPictures] = useState(0);
  const login = useMutation({
    mutationFn: (credentials: Credentials) =>
      logIn(credentials, cache.getQueryData(settingsQuery.queryKey)?.merchantCode ?? ''),
    onError: (error) => {
      const asked = error instanceof ApiError && error.args['captcha'] === 'true';
      if (!asked && pictures === 0) return;
      setPictures(pictures + 1);
      setTyped((all) => ({ ...all, captcha: '' }));
      setChecked(false);
    },
  });

  useEffect(() => {
    if (pictures > 0) focus(form.current, 'captcha');
  }, [pictures]);

  const username = typed.username.trim();
  const missing = {
    username: checked && username === '' ? [t`Enter username`] : [],
    password: checked && typed.password === '' ? [t`Enter password`] : [],
    captcha: checked && pictures > 0 && typed.captcha === '' ? [t`Enter a captcha`] : [],
  };
  const refused = login.error instanceof ApiError ? login.error.field : undefined;
  const failure = login.error ? describeError(login.error) : '';
  const errorsOf = (field: keyof Typed) =>
    refused === field && failure ? [failure] : missing[field];

  function submit(event: FormEvent) {
    event.preventDefault();
    setChecked(true);
    if (login.isPending) return;
    login.reset();
    const values: Typed = { ...typed, username };
    const needed: (keyof Typed)[] = ['username', 'password'];
    if (pictures > 0) needed.push('captcha');
    const empty = needed.find((name) => values[name] === '');
    if (empty) focus(form.current, empty);
    else login.mutate(pictures > 0 ? values : { username, password: typed.password });
  }

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <div role="alert" className={styles.alert}>
        {failure && !isField(refused) && (
          <div className={styles.failure}>
            <Icon name="warning-circle-fill" size={20} className={styles.failureMark} />
            {failure}
          </div>
        )}
      </div>
      <Field
        label={t`Username`}
        icon="user"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="next"
        maxLength={longest}
        value={typed.username}
        errors={errorsOf('username')}
        onChange={(event) => setTyped({ ...typed, username: event.target.value })}
        onClear={() => setTyped({ ...typed, username: '' })}
      />
      <Field
        label={t`Password`}
        icon="lock-key"
        type="password"
        name="password"
        autoComplete="current-password"
        enterKeyHint="go"
        maxLength={longest}
        value={typed.password}
        errors={errorsOf('password')}
        onChange={(event) => setTyped({ ...typed, password: event.target.value })}
      />
      {pictures > 0 && (
        <CaptchaField
          name="captcha"
          required
          load={captchaPicture}
          round={pictures}
          maxLength={longestCaptcha}
          value={typed.captcha}
          errors={errorsOf('captcha')}
          onChange={(event) =>
            setTyped({ ...typed, captcha: event.target.value.replaceAll(/\D/g, '') })
          }
          onRenew={() => setTyped({ ...typed, captcha: '' })}
        />
      )}
      <Link to="/m/forget" className={styles.forgot}>
        {t`Forgot password?`}
      </Link>
      <Button type="submit" full busy={login.isPending}>
        {t`Login`}
      </Button>
    </form>
  );
}

function isField(name: string | undefined): name is keyof Typed {
  return name === 'username' || name === 'password' || name === 'captcha';
}

function focus(form: HTMLFormElement | null, name: string): void {
  const field = form?.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.focus();
}
