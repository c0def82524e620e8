import { useLingui } from '@lingui/react/macro';
import { Button, Center, Loader, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';
import { describeError } from './server/errors.ts';

export function LoadingState() {
  const { t } = useLingui();
  return (
    <Center mih="50vh">
      <Loader aria-label={t`Loading`} role="status" />
    </Center>
  );
}

type FailedStateProps = { error: unknown; busy?: boolean; onRetry: () => void };

export function FailedState({ error, busy = false, onRetry }: FailedStateProps) {
  const { t } = useLingui();
  return (
    <div role="alert">
      <MessageState icon="error" text={describeError(error)}>
        <Button variant="default" loading={busy} onClick={onRetry}>
          {t`Try again`}
        </Button>
      </MessageState>
    </div>
  );
}

type MessageStateProps = { icon: IconName; text: string; children?: ReactNode };

/** A message shown instead of content, with optional buttons. */
export function MessageState({ icon, text, children }: MessageStateProps) {
  return (
    <Center mih={240} p="lg">
      <Stack align="center" gap="sm" maw={420}>
        <Icon name={icon} size={36} />
        <Text ta="center" c="var(--mantine-color-text)">
          {text}
        </Text>
        {children}
      </Stack>
    </Center>
  );
}
