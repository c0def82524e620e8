import { useLingui } from '@lingui/react/macro';
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';

import { describeLoginError } from '../server/errors.ts';
import { sendPassword, type PasswordStep } from '../server/queries.ts';

export function PasswordForm({ onDone }: { onDone: (step: PasswordStep) => void }) {
  const { t } = useLingui();
  const form = useForm({
    initialValues: { name: '', password: '' },
    validate: {
      name: (value) => (value.trim() ? null : t`Enter your name.`),
      password: (value) => (value ? null : t`Enter your password.`),
    },
  });
  const login = useMutation({ mutationFn: sendPassword, onSuccess: onDone });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ name, password }) =>
        login.mutate({ name: name.trim(), password }),
      )}
    >
      <Stack>
        {login.error && (
          <Alert color="red" role="alert">
            {describeLoginError(login.error)}
          </Alert>
        )}
        <TextInput
          label={t`Name`}
          autoComplete="username"
          autoCapitalize="none"
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label={t`Password`}
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={login.isPending}>
          {t`Log in`}
        </Button>
      </Stack>
    </form>
  );
}
