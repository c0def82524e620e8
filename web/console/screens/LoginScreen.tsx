import { useLingui } from '@lingui/react/macro';
import { Alert, Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { openSession, type CodeStep, type PasswordStep } from '../server/queries.ts';
import { CodeForm } from './CodeForm.tsx';
import { LoginFrame } from './LoginFrame.tsx';
import { PasswordForm } from './PasswordForm.tsx';

import styles from './LoginScreen.module.css';

export function LoginScreen() {
  const queryClient = useQueryClient();
  const [passwordStep, setPasswordStep] = useState<PasswordStep | null>(null);
  const [codeStep, setCodeStep] = useState<CodeStep | null>(null);

  function finish(step: CodeStep): void {
    openSession(queryClient, step.operator);
  }

  function receiveCodeStep(step: CodeStep): void {
    // Recovery codes are shown only once, so the operator must press a button to continue.
    if (step.recoveryCodes?.length) setCodeStep(step);
    else finish(step);
  }

  return (
    <LoginFrame>
      {codeStep && <RecoveryCodes step={codeStep} onContinue={() => finish(codeStep)} />}
      {!codeStep && passwordStep && (
        <CodeForm
          passwordStep={passwordStep}
          onDone={receiveCodeStep}
          onBack={() => setPasswordStep(null)}
        />
      )}
      {!codeStep && !passwordStep && <PasswordForm onDone={setPasswordStep} />}
    </LoginFrame>
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
