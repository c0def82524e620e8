import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import {
  Alert,
  Button,
  Code,
  Group,
  Modal,
  MultiSelect,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { useObject } from '../../object/useObject.ts';
import { Status } from './Status.tsx';

export type OperatorRow = {
  id: string;
  name: string;
  roles: readonly string[];
  enrolled: boolean;
  status: string;
  createdAt: number;
  version: number;
};

export type Role = { name: string; builtIn: boolean; permissions: readonly string[] };

const columns: readonly Column<OperatorRow>[] = [
  { key: 'name', title: msg`Name` },
  { key: 'roles', title: msg`Roles`, render: ({ roles }) => roles.join(', ') },
  { key: 'status', title: msg`Status`, render: ({ status }) => <Status value={status} /> },
  { key: 'enrolled', title: msg`Authenticator`, render: ({ enrolled }) => (enrolled ? '✓' : '–') },
  { key: 'createdAt', title: msg`Created`, render: ({ createdAt }) => formatTime(createdAt) },
];

/** All operators, with a button that adds one. */
export function OperatorsScreen() {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  const [created, setCreated] = useState<{ name: string; password: string } | null>(null);
  return (
    <Stack>
      <Group>
        <CreateOperator onCreated={setCreated} />
        <Button variant="default" component={Link} href="/operators/roles">
          {t`Roles`}
        </Button>
      </Group>
      <DataList
        name="operators"
        path="/ops/v1/operators"
        columns={columns}
        onOpen={({ id }) => navigate(`/operators/${id}`)}
      />
      <Modal opened={created !== null} onClose={() => setCreated(null)} title={t`New operator`}>
        {created && (
          <Stack>
            <Alert color="yellow">{t`The password is shown only now. Give it to the operator in a safe way.`}</Alert>
            <Text>{created.name}</Text>
            <Code block>{created.password}</Code>
            <Button onClick={() => setCreated(null)}>{t`I have saved it`}</Button>
          </Stack>
        )}
      </Modal>
    </Stack>
  );
}

type Created = { name: string; password: string };

function CreateOperator({ onCreated }: { onCreated: (created: Created) => void }) {
  const { t } = useLingui();
  const [name, setName] = useState('');
  const [roles, setRoles] = useState<string[]>([]);
  const [merchant, setMerchant] = useState<string | null>(null);
  const { data: merchants } = useObject<{ list: readonly { code: string }[] }>('/ops/v1/merchants');
  const codes = (merchants?.list ?? []).map(({ code }) => code);
  return (
    <ActionButton<Created>
      label={t`Create operator`}
      variant="filled"
      permission="operator.edit"
      path="/ops/v1/operators"
      body={{ name: name.trim(), roles, ...(merchant && { merchant }) }}
      change={t`The new operator sets up an authenticator app at the first login.`}
      fields={
        <>
          <TextInput
            label={t`Name`}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <RoleSelect value={roles} onChange={setRoles} />
          {codes.length > 1 && (
            <Select
              label={t`Merchant`}
              description={t`Without one, the operator sees all merchants.`}
              data={codes}
              value={merchant}
              onChange={setMerchant}
              clearable
            />
          )}
        </>
      }
      onDone={(value) => {
        onCreated(value);
        setName('');
        setRoles([]);
        setMerchant(null);
      }}
    />
  );
}

type RoleSelectProps = { value: string[]; onChange: (roles: string[]) => void };

export function RoleSelect({ value, onChange }: RoleSelectProps) {
  const { t } = useLingui();
  const { data } = useObject<readonly Role[]>('/ops/v1/roles');
  return (
    <MultiSelect
      label={t`Roles`}
      data={(data ?? []).map((role) => role.name)}
      value={value}
      onChange={onChange}
    />
  );
}
