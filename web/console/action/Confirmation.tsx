import { useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';

import { describeLoginError } from '../server/errors.ts';
import { request } from '../server/request.ts';
import { useQuestion } from './confirmation.ts';

/** The dialog that asks for an authenticator code before a dangerous request. */
export function Confirmation() {
  const { t } = useLingui();
  const answer = useQuestion();
  return (
    <Modal
      opened={answer !== null}
      onClose={() => answer?.(false)}
      title={t`Confirm it is you`}
      zIndex={300}
    >
      {answer && <ConfirmationForm onAnswer={answer} />}
    </Modal>
  );
}

function ConfirmationForm({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const { t } = useLingui();
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (value) => (value.trim() ? null : t`Enter the code.`) },
  });
  const confirm = useMutation({
    mutationFn: (code: string) => request('POST', '/ops/v1/session/confirm', { body: { code } }),
    onSuccess: () => onAnswer(true),
  });
  return (
    <form noValidate onSubmit={form.onSubmit(({ code }) => confirm.mutate(code.trim()))}>
      <Stack>
        <Text size="sm">{t`This change needs a new code. For five minutes you are not asked again.`}</Text>
        {confirm.error && (
          <Alert color="red" role="alert">
            {describeLoginError(confirm.error)}
          </Alert>
        )}
        <TextInput
          label={t`Code`}
          description={t`From your authenticator app, or a recovery code.`}
          autoComplete="one-time-code"
          data-autofocus
          {...form.getInputProps('code')}
        />
        <Group justify="end">
          <Button variant="default" onClick={() => onAnswer(false)}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={confirm.isPending}>
            {t`Confirm`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
