import { useLingui } from '@lingui/react/macro';
import { Alert, Anchor, Button, Code, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';

import { describeLoginError } from '../server/errors.ts';
import { sendCode, type CodeStep, type PasswordStep } from '../server/queries.ts';
import { QrCode } from './QrCode.tsx';

type CodeFormProps = {
  passwordStep: PasswordStep;
  onDone: (step: CodeStep) => void;
  onBack: () => void;
};

/** Asks for a code from the authenticator app. At the first login it also sets up the app. */
export function CodeForm({ passwordStep, onDone, onBack }: CodeFormProps) {
  const { t } = useLingui();
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (value) => (value.trim() ? null : t`Enter the code.`) },
  });
  const confirm = useMutation({ mutationFn: sendCode, onSuccess: onDone });
  return (
    <form noValidate onSubmit={form.onSubmit(({ code }) => confirm.mutate(code.trim()))}>
      <Stack>
        {confirm.error && (
          <Alert color="red" role="alert">
            {describeLoginError(confirm.error)}
          </Alert>
        )}
        {passwordStep.step === 'enrol' && (
          <Text size="sm" component="div">
            {t`Scan this code with your authenticator app, or add the key, then enter its code.`}
            <QrCode text={passwordStep.otpauth} label={t`QR code of the key`} />
            <Code block my="xs">
              {passwordStep.secret}
            </Code>
            <Anchor href={passwordStep.otpauth}>{t`Open the app`}</Anchor>
          </Text>
        )}
        <TextInput
          label={t`Code`}
          description={t`From your authenticator app, or a recovery code.`}
          autoComplete="one-time-code"
          data-autofocus
          {...form.getInputProps('code')}
        />
        <Button type="submit" loading={confirm.isPending}>
          {t`Continue`}
        </Button>
        <Button variant="subtle" onClick={onBack}>
          {t`Back`}
        </Button>
      </Stack>
    </form>
  );
}
