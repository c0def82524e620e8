import { useLingui } from '@lingui/react/macro';
import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import { LanguageMenu } from '../layout/LanguageMenu.tsx';
import { ThemeButton } from '../layout/ThemeButton.tsx';

import styles from './LoginScreen.module.css';

/** The card of the screens before the console opens. */
export function LoginFrame({ children }: { children: ReactNode }) {
  const { t } = useLingui();
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
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
