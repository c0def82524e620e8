import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Badge, Button, Group, Stack, Table, Title } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';

import { ActionButton } from '../../../action/ActionButton.tsx';
import { ActionResult } from '../../../action/ActionResult.tsx';
import { useAction } from '../../../action/useAction.ts';
import { formatTime } from '../../../format.ts';
import { DataList, type Column } from '../../../list/DataList.tsx';
import { Detail } from '../../../object/Detail.tsx';
import { useObject } from '../../../object/useObject.ts';
import { NewKey, type Key } from './NewKey.tsx';
import { VendorForm, type Vendor } from './VendorForm.tsx';

const permission = 'vendor.edit';

const columns: readonly Column<Vendor>[] = [
  { key: 'name', title: msg`Name` },
  { key: 'code', title: msg`Code` },
  { key: 'launchUrl', title: msg`Launch address` },
  { key: 'games', title: msg`Games`, align: 'end' },
  { key: 'status', title: msg`Status`, render: ({ status }) => <VendorStatus status={status} /> },
];

function VendorStatus({ status }: { status: string }) {
  const { t } = useLingui();
  const labels: Record<string, string> = {
    enabled: t`Enabled`,
    disabled: t`Disabled`,
    maintenance: t`Maintenance`,
  };
  return <Badge color={status === 'enabled' ? 'teal' : 'gray'}>{labels[status] ?? status}</Badge>;
}

export function VendorsScreen() {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  return (
    <>
      <Group justify="end" mb="md">
        <Button component={Link} href="/vendors/new">
          {t`New vendor`}
        </Button>
      </Group>
      <DataList
        name="vendors"
        path="/ops/v1/vendors"
        columns={columns}
        filters={[
          { name: 'q', kind: 'text', label: msg`Search` },
          {
            name: 'state',
            kind: 'choice',
            label: msg`Status`,
            options: [
              { value: 'enabled', label: msg`Enabled` },
              { value: 'disabled', label: msg`Disabled` },
              { value: 'maintenance', label: msg`Maintenance` },
            ],
          },
        ]}
        onOpen={({ id }) => navigate(`/vendors/${id}`)}
      />
    </>
  );
}

export function VendorScreen() {
  const { id = '' } = useParams();
  const vendor = useObject<Vendor>(`/ops/v1/vendors/${id}`);
  return (
    <Detail query={vendor}>{(value) => <VendorDetail key={value.id} vendor={value} />}</Detail>
  );
}

function VendorDetail({ vendor }: { vendor: Vendor }) {
  const { t } = useLingui();
  const [key, setKey] = useState<Key | null>(null);
  const path = `/ops/v1/vendors/${vendor.id}`;
  const body = { version: vendor.version };
  return (
    <Stack>
      <Group>
        <Title order={1} size="h3">
          {vendor.name}
        </Title>
        <VendorStatus status={vendor.status} />
        {vendor.house && <Badge>{t`House`}</Badge>}
      </Group>
      <VendorForm vendor={vendor} />
      <ConnectionTest path={path} />
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t`Keys`}
        </Title>
        {vendor.launchUrl && (
          <ActionButton<Key>
            label={t`Rotate the key`}
            permission={permission}
            path={`${path}/rotate`}
            body={body}
            reason="optional"
            change={t`A new key is created and shown once. The key before it stays valid until the next rotation, or until it is revoked.`}
            onDone={setKey}
          />
        )}
      </Group>
      <NewKey value={key} onClose={() => setKey(null)} />
      <Table.ScrollContainer minWidth={420}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`Key`}</Table.Th>
              <Table.Th>{t`Created`}</Table.Th>
              <Table.Th>{t`Revoked`}</Table.Th>
              <Table.Th>{t`Action`}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {(vendor.keys ?? []).map(({ keyId, createdAt, retiredAt }) => (
              <Table.Tr key={keyId}>
                <Table.Td>{keyId}</Table.Td>
                <Table.Td>{formatTime(createdAt)}</Table.Td>
                <Table.Td>{formatTime(retiredAt)}</Table.Td>
                <Table.Td>
                  {!retiredAt && (
                    <ActionButton
                      label={t`Revoke`}
                      size="xs"
                      color="red"
                      permission={permission}
                      path={`${path}/retire`}
                      body={{ ...body, keyId }}
                      reason="required"
                      change={t`The key ${keyId} stops working at once. Calls that the vendor signs with it are refused.`}
                    />
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}

type Probe = { reached: boolean; httpStatus: number; millis: number; problem: string };

function ConnectionTest({ path }: { path: string }) {
  const { t } = useLingui();
  const [probe, setProbe] = useState<Probe | null>(null);
  const test = useAction<Probe>({ path: `${path}/test`, onDone: setProbe });
  const { reached, httpStatus, millis, problem } = probe ?? {};
  return (
    <Group>
      <Button variant="default" loading={test.isBusy} onClick={() => void test.run({})}>
        {t`Test the connection`}
      </Button>
      <ActionResult error={test.error} approval={test.approval} />
      {probe && (
        <output>
          {reached
            ? t`Reached: status ${httpStatus ?? 0} in ${millis ?? 0} ms`
            : t`Not reached: ${problem || String(httpStatus)}`}
        </output>
      )}
    </Group>
  );
}
