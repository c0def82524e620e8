import { useLingui } from '@lingui/react/macro';
import { ActionIcon, Avatar, Group, Kbd, Menu, Modal, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { spotlight } from '@mantine/spotlight';
import { useMutation, useQueryClient } from '@tanstack/react-query';

import { Icon } from '../Icon.tsx';
import { NewPasswordForm } from '../screens/NewPassword.tsx';
import { describeError } from '../server/errors.ts';
import { chooseMerchant } from '../server/merchant.ts';
import { logOut, type Operator } from '../server/queries.ts';
import { LanguageMenu } from './LanguageMenu.tsx';
import { MerchantChooser } from './MerchantChooser.tsx';
import { ThemeButton } from './ThemeButton.tsx';

import styles from './HeaderActions.module.css';

type HeaderActionsProps = { operator: Operator; onHelp: () => void };

export function HeaderActions({ operator, onHelp }: HeaderActionsProps) {
  const { t } = useLingui();
  return (
    <Group gap="xs" wrap="nowrap">
      <UnstyledButton className={styles.search} visibleFrom="md" onClick={spotlight.open}>
        <Icon name="search" />
        <Text span size="sm" c="dimmed" flex={1}>
          {t`Search screens and members`}
        </Text>
        <Kbd>/</Kbd>
      </UnstyledButton>
      <ActionIcon
        variant="default"
        size={40}
        hiddenFrom="md"
        aria-label={t`Search`}
        onClick={spotlight.open}
      >
        <Icon name="search" />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={40}
        visibleFrom="sm"
        aria-label={t`Keyboard help`}
        onClick={onHelp}
      >
        <Icon name="keyboard" />
      </ActionIcon>
      {!operator.merchant && <MerchantChooser />}
      <LanguageMenu />
      <ThemeButton />
      <OperatorMenu operator={operator} />
    </Group>
  );
}

function OperatorMenu({ operator: { name, roles } }: { operator: Operator }) {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const [isPasswordOpen, passwordDialog] = useDisclosure();
  const logOutMutation = useMutation({
    mutationFn: logOut,
    // Clears all cached data. Reloading the session then shows the login screen.
    onSuccess() {
      chooseMerchant(null);
      return queryClient.resetQueries();
    },
    onError: (error) => notifications.show({ color: 'red', message: describeError(error) }),
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <UnstyledButton aria-label={t`Account of ${name}`}>
            <Avatar name={name} color="initials">
              <Icon name="account" />
            </Avatar>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {name} · {roles.join(', ')}
          </Menu.Label>
          <Menu.Item onClick={passwordDialog.open}>{t`Change password`}</Menu.Item>
          <Menu.Item
            leftSection={<Icon name="logout" />}
            disabled={logOutMutation.isPending}
            onClick={() => logOutMutation.mutate()}
          >
            {t`Log out`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isPasswordOpen} onClose={passwordDialog.close} title={t`Change password`}>
        <NewPasswordForm onDone={passwordDialog.close} />
      </Modal>
    </>
  );
}
