import { useLingui } from '@lingui/react/macro';
import { Alert, Button, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { LanguageMenu } from '../layout/LanguageMenu.tsx';
import { ThemeButton } from '../layout/ThemeButton.tsx';
import { sessionQuery, type CodeStep, type PasswordStep } from '../server/queries.ts';
import { CodeForm } from './CodeForm.tsx';
import { PasswordForm } from './PasswordForm.tsx';

import styles from './LoginScreen.module.css';

export function LoginScreen() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const [passwordStep, setPasswordStep] = useState<PasswordStep | null>(null);
  const [codeStep, setCodeStep] = useState<CodeStep | null>(null);

  function finish(step: CodeStep): void {
    queryClient.setQueryData(sessionQuery.queryKey, step.operator);
  }

  function receiveCodeStep(step: CodeStep): void {
    // Recovery codes are shown only once, so the operator must press a button to continue.
    if (step.recoveryCodes?.length) setCodeStep(step);
    else finish(step);
  }

  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder radius="lg" p="xl" className={styles.card}>
        <Stack>
          <Group justify="space-between" wrap="nowrap">
            <div>
              <Title order={1} size="h3">
                Fairground
              </Title>
              <Text c="dimmed" size="sm">{t`Operator console`}</Text>
            </div>
            <Group gap="xs" wrap="nowrap">
              <LanguageMenu />
              <ThemeButton />
            </Group>
          </Group>
          {codeStep && <RecoveryCodes step={codeStep} onContinue={() => finish(codeStep)} />}
          {!codeStep && passwordStep && (
            <CodeForm
              passwordStep={passwordStep}
              onDone={receiveCodeStep}
              onBack={() => setPasswordStep(null)}
            />
          )}
          {!codeStep && !passwordStep && <PasswordForm onDone={setPasswordStep} />}
        </Stack>
      </Paper>
    </Center>
  );
}

function RecoveryCodes({ step, onContinue }: { step: CodeStep; onContinue: () => void }) {
  const { t } = useLingui();
  return (
    <>
      <Alert color="yellow" title={t`Save your recovery codes`}>
        {t`Each replaces one code of your authenticator app, once. They are not shown again.`}
      </Alert>
      <ul className={styles.codes}>
        {step.recoveryCodes?.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Button onClick={onContinue}>{t`I have saved them`}</Button>
    </>
  );
}
