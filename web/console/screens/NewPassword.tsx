import { useLingui } from '@lingui/react/macro';
import { Alert, Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';

import { useAction } from '../action/useAction.ts';
import { describeError } from '../server/errors.ts';
import { sessionQuery, type CodeStep } from '../server/queries.ts';
import { LoginFrame } from './LoginFrame.tsx';

const minimumLength = 12;

/** Asks for a new password, because another person knows the current one. */
export function NewPasswordScreen() {
  const { t } = useLingui();
  return (
    <LoginFrame>
      <Alert color="yellow" title={t`Choose your own password`}>
        {t`Another person has set your password. Replace it to open the console.`}
      </Alert>
      <NewPasswordForm />
    </LoginFrame>
  );
}

/** Replaces the password of the operator who is logged in. */
export function NewPasswordForm({ onDone }: { onDone?: () => void }) {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { oldPassword: '', newPassword: '' },
    validate: {
      oldPassword: (value) => (value ? null : t`Enter your password.`),
      newPassword: (value) =>
        value.length >= minimumLength ? null : t`Enter at least 12 characters.`,
    },
  });
  const action = useAction<CodeStep>({
    path: '/ops/v1/session/password',
    onDone(step) {
      queryClient.setQueryData(sessionQuery.queryKey, step.operator);
      onDone?.();
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => void action.run(values))}>
      <Stack>
        {action.error && (
          <Alert color="red" role="alert">
            {describeError(action.error)}
          </Alert>
        )}
        <PasswordInput
          label={t`Current password`}
          autoComplete="current-password"
          {...form.getInputProps('oldPassword')}
        />
        <PasswordInput
          label={t`New password`}
          description={t`At least 12 characters.`}
          autoComplete="new-password"
          {...form.getInputProps('newPassword')}
        />
        <Button type="submit" loading={action.isBusy}>
          {t`Change password`}
        </Button>
      </Stack>
    </form>
  );
}
