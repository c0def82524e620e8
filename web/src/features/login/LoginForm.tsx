import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';

import { ApiError, describeError } from '../../api/error.ts';
import { logIn, type Credentials } from '../../api/member.ts';
import { settingsQuery } from '../../api/system.ts';
import { Link } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';

import styles from './LoginScreen.module.css';

const longest = 64;

/** Username and password. Whatever goes wrong, what was typed stays. */
export function LoginForm() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState<Credentials>({ username: '', password: '' });
  const [checked, setChecked] = useState(false);
  const login = useMutation({
    mutationFn: (credentials: Credentials) =>
      logIn(credentials, cache.getQueryData(settingsQuery.queryKey)?.merchantCode ?? ''),
  });

  const username = typed.username.trim();
  const missing = {
    username: checked && username === '' ? [t`Enter username`] : [],
    password: checked && typed.password === '' ? [t`Enter password`] : [],
  };
  const refused = login.error instanceof ApiError ? login.error.field : undefined;
  const failure = login.error ? describeError(login.error) : '';
  const errorsOf = (field: keyof Credentials) =>
    refused === field && failure ? [failure] : missing[field];

  function submit(event: FormEvent) {
    event.preventDefault();
    setChecked(true);
    if (login.isPending) return;
    login.reset();
    if (username === '' || typed.password === '') {
      const empty = form.current?.elements.namedItem(username === '' ? 'username' : 'password');
      if (empty instanceof HTMLInputElement) empty.focus();
      return;
    }
    login.mutate({ username, password: typed.password });
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
      <Link to="/m/forget" className={styles.forgot}>
        {t`Forgot password?`}
      </Link>
      <Button type="submit" full busy={login.isPending}>
        {t`Login`}
      </Button>
    </form>
  );
}

function isField(name: string | undefined): name is keyof Credentials {
  return name === 'username' || name === 'password';
}
