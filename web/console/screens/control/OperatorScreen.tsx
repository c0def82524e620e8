import { useLingui } from '@lingui/react/macro';
import { Group, Paper, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { useObject } from '../../object/useObject.ts';
import { RoleSelect, type OperatorRow } from './OperatorsScreen.tsx';
import { Status } from './Status.tsx';

/** One operator, with the buttons that change it. */
export function OperatorScreen() {
  const { id } = useParams<{ id: string }>();
  const query = useObject<OperatorRow>(`/ops/v1/operators/${id}`);
  return <Detail query={query}>{(operator) => <OperatorView operator={operator} />}</Detail>;
}

function OperatorView({ operator }: { operator: OperatorRow }) {
  const { t } = useLingui();
  const [roles, setRoles] = useState<string[]>([...operator.roles]);
  const { id, name, version, status } = operator;
  const isActive = status === 'active';
  const path = `/ops/v1/operators/${id}`;
  const sharedProps = {
    permission: 'operator.edit',
    body: { version },
    reason: 'optional',
  } as const;
  return (
    <Stack>
      <Title order={2}>{name}</Title>
      <Group>
        <ActionButton
          {...sharedProps}
          label={t`Change roles`}
          path={`${path}/roles`}
          body={{ version, roles }}
          onOpen={() => setRoles([...operator.roles])}
          change={[{ label: t`Roles`, before: operator.roles.join(', '), after: roles.join(', ') }]}
          fields={<RoleSelect value={roles} onChange={setRoles} />}
        />
        <ActionButton
          {...sharedProps}
          label={t`Reset authenticator`}
          path={`${path}/reset-totp`}
          change={t`The operator is logged out and sets up an authenticator app again.`}
        />
        {isActive ? (
          <ActionButton
            {...sharedProps}
            label={t`Disable`}
            color="red"
            path={`${path}/disable`}
            change={[{ label: t`Status`, before: t`Active`, after: t`Disabled` }]}
          />
        ) : (
          <ActionButton
            {...sharedProps}
            label={t`Enable`}
            path={`${path}/enable`}
            change={[{ label: t`Status`, before: t`Disabled`, after: t`Active` }]}
          />
        )}
      </Group>
      <Paper withBorder p="md">
        <Fields
          rows={[
            { label: t`Status`, value: <Status value={status} /> },
            { label: t`Roles`, value: operator.roles.join(', ') },
            { label: t`Authenticator`, value: operator.enrolled ? t`Set up` : t`Not set up` },
            { label: t`Created`, value: formatTime(operator.createdAt) },
          ]}
        />
      </Paper>
    </Stack>
  );
}
