import { useLingui } from '@lingui/react/macro';
import { AppShell, Burger, Group, ScrollArea, Text, Title } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { useLocation } from 'wouter';

import { Confirmation } from '../action/Confirmation.tsx';
import { allowedDestinations, destinationOf } from '../destinations.ts';
import { ErrorBoundary } from '../ErrorBoundary.tsx';
import { useLive } from '../live.ts';
import { Screens } from '../screens/Screens.tsx';
import type { Operator } from '../server/queries.ts';
import { useShortcuts } from '../shortcuts.ts';
import { HeaderActions } from './HeaderActions.tsx';
import { KeyboardHelp } from './KeyboardHelp.tsx';
import { Navigation } from './Navigation.tsx';
import { Search } from './Search.tsx';

import styles from './Shell.module.css';

type ShellProps = {
  operator: Operator;
  /** The session has ended, and the login covers the console. */
  isLocked?: boolean;
};

/** The frame around all screens of the console. */
export function Shell({ operator, isLocked = false }: ShellProps) {
  const { t, i18n } = useLingui();
  const [path, navigate] = useLocation();
  const [isMenuOpen, menuActions] = useDisclosure();
  const [isHelpOpen, helpActions] = useDisclosure();
  const isNarrow = useMediaQuery('(width < 48em)');
  const destinations = allowedDestinations(operator.permissions);
  useShortcuts({
    isEnabled: !isLocked,
    destinations,
    onSearch: spotlight.open,
    onHelp: helpActions.toggle,
    onGo: navigate,
  });
  useLive(!isLocked);
  const current = destinationOf(path);
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 224, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
      padding={{ base: 'md', md: 24 }}
      layout="alt"
    >
      <a href="#main" className={styles.skip}>
        {t`Skip to content`}
      </a>
      <AppShell.Header className={styles.surface}>
        <Group h="100%" px={{ base: 'sm', md: 24 }} justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap" className={styles.title}>
            <Burger
              opened={isMenuOpen}
              onClick={menuActions.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t`Menu`}
            />
            <Title order={1} size="h5" className={styles.name}>
              {current ? i18n._(current.label) : t`Not found`}
            </Title>
          </Group>
          <HeaderActions operator={operator} onHelp={helpActions.open} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="sm"
        className={styles.surface}
        inert={isNarrow && !isMenuOpen}
        aria-label={t`Screens`}
      >
        <Group justify="space-between" wrap="nowrap" px="xs" pb="sm">
          <div>
            <Text fw={700}>Fairground</Text>
            <Text size="xs" c="dimmed">{t`Operator console`}</Text>
          </div>
          <Burger
            opened={isMenuOpen}
            onClick={menuActions.close}
            hiddenFrom="sm"
            size="sm"
            aria-label={t`Close the menu`}
          />
        </Group>
        <ScrollArea flex={1}>
          <Navigation destinations={destinations} onNavigate={menuActions.close} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <ErrorBoundary key={path}>
          <Screens destinations={destinations} />
        </ErrorBoundary>
      </AppShell.Main>
      <Confirmation />
      <Search destinations={destinations} />
      <KeyboardHelp opened={isHelpOpen} destinations={destinations} onClose={helpActions.close} />
    </AppShell>
  );
}
