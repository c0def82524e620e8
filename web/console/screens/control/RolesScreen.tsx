import { useLingui } from '@lingui/react/macro';
import { Group, MultiSelect, Paper, Stack, Table, Text, TextInput } from '@mantine/core';
import { useState } from 'react';

import { ActionButton } from '../../action/ActionButton.tsx';
import { Detail } from '../../object/Detail.tsx';
import { useObject } from '../../object/useObject.ts';
import type { Role } from './OperatorsScreen.tsx';

/** The roles with their permissions. Built-in roles cannot be changed. */
export function RolesScreen() {
  const query = useObject<readonly Role[]>('/ops/v1/roles');
  return <Detail query={query}>{(roles) => <RoleTable roles={roles} />}</Detail>;
}

function RoleTable({ roles }: { roles: readonly Role[] }) {
  const { t } = useLingui();
  // The owner has all permissions.
  const allPermissions = roles.find(({ name }) => name === 'owner')?.permissions ?? [];
  return (
    <Stack>
      <Group>
        <RoleForm allPermissions={allPermissions} />
      </Group>
      <Paper withBorder>
        <Table.ScrollContainer minWidth={560}>
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t`Role`}</Table.Th>
                <Table.Th>{t`Permissions`}</Table.Th>
                <Table.Th>{t`Actions`}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {roles.map((role) => (
                <Table.Tr key={role.name}>
                  <Table.Th scope="row">{role.name}</Table.Th>
                  <Table.Td>{role.permissions.join(', ')}</Table.Td>
                  <Table.Td>
                    {role.builtIn ? (
                      <Text size="sm" c="dimmed">{t`Built in`}</Text>
                    ) : (
                      <Group gap="xs">
                        <RoleForm allPermissions={allPermissions} role={role} />
                        <ActionButton
                          label={t`Delete role ${role.name}`}
                          color="red"
                          size="xs"
                          permission="operator.edit"
                          method="PUT"
                          path={`/ops/v1/roles/${role.name}`}
                          body={{ permissions: [] }}
                          change={[
                            {
                              label: t`Permissions`,
                              before: role.permissions.join(', '),
                              after: t`None`,
                            },
                          ]}
                        />
                      </Group>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
    </Stack>
  );
}

function RoleForm({ allPermissions, role }: { allPermissions: readonly string[]; role?: Role }) {
  const { t } = useLingui();
  const [name, setName] = useState(role?.name ?? '');
  const [permissions, setPermissions] = useState<string[]>([...(role?.permissions ?? [])]);
  return (
    <ActionButton
      label={role ? t`Change role ${role.name}` : t`Define role`}
      {...(role && { size: 'xs' })}
      permission="operator.edit"
      method="PUT"
      path={`/ops/v1/roles/${encodeURIComponent(name.trim() || '-')}`}
      body={{ permissions }}
      change={
        role
          ? [
              {
                label: t`Permissions`,
                before: role.permissions.join(', '),
                after: permissions.join(', '),
              },
            ]
          : t`Operators with the new role may do what its permissions allow.`
      }
      fields={
        <>
          {!role && (
            <TextInput
              label={t`Name`}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          )}
          <MultiSelect
            label={t`Permissions`}
            data={[...allPermissions]}
            value={permissions}
            onChange={setPermissions}
          />
        </>
      }
    />
  );
}
