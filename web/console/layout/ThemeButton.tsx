import { useLingui } from '@lingui/react/macro';
import { ActionIcon, useMantineColorScheme } from '@mantine/core';

import { Icon } from '../Icon.tsx';

export function ThemeButton() {
  const { t } = useLingui();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isDark = colorScheme === 'dark';
  return (
    <ActionIcon
      variant="default"
      size={40}
      aria-label={isDark ? t`Light theme` : t`Dark theme`}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      <Icon name={isDark ? 'moon' : 'sun'} />
    </ActionIcon>
  );
}
