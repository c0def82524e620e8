import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { Link, useLocation } from 'wouter';

import { formatMoney } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import type { Filter } from '../../list/Filters.tsx';
import { Label, type Labels } from '../../object/Label.tsx';
import { Status } from '../control/Status.tsx';
import { CashierTabs } from './CashierTabs.tsx';
import { currencies } from './currency.ts';
import type { Method } from './methods.ts';

export const methodsPath = '/ops/v1/methods';

const kinds: Labels = { mt: msg`Bank transfer`, qr: msg`Payment code`, pg: msg`Gateway` };

const columns: readonly Column<Method>[] = [
  { key: 'name', title: msg`Name` },
  { key: 'code', title: msg`Code` },
  { key: 'kind', title: msg`Kind`, render: ({ kind }) => <Label labels={kinds} value={kind} /> },
  { key: 'currency', title: msg`Currency`, isHidden: true },
  {
    key: 'min',
    title: msg`Limits`,
    render: ({ min, max, currency }) =>
      `${formatMoney(min, currency)} – ${formatMoney(max, currency)}`,
  },
  {
    key: 'fee',
    title: msg`Fee`,
    render: ({ fee, feeRate, currency }) =>
      `${formatMoney(fee, currency)} + ${+(feeRate * 100).toFixed(4)} %`,
  },
  { key: 'opensAt', title: msg`Hours`, render: (method) => <Hours {...method} /> },
  { key: 'sorting', title: msg`Order`, isHidden: true },
  { key: 'status', title: msg`Status`, render: ({ status }) => <Status value={status} /> },
];

/** Active and disabled settings of the cashier. */
export const activeFilter: Filter = {
  name: 'state',
  kind: 'choice',
  label: msg`Status`,
  options: [
    { value: 'active', label: msg`Active` },
    { value: 'disabled', label: msg`Disabled` },
  ],
};

export const settingSorts = [
  { value: 'order', label: msg`Order` },
  { value: 'name', label: msg`Name` },
];

/** All payment methods, with limits, fees and hours. */
export function MethodsScreen() {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  return (
    <>
      <CashierTabs />
      <Group justify="end" mb="md">
        <Button component={Link} href="/methods/new">
          {t`New payment method`}
        </Button>
      </Group>
      <DataList<Method>
        name="methods"
        path={methodsPath}
        columns={columns}
        sorts={settingSorts}
        filters={[
          { name: 'q', kind: 'text', label: msg`Name or code` },
          {
            name: 'kind',
            kind: 'choice',
            label: msg`Kind`,
            options: Object.entries(kinds).map(([value, label]) => ({ value, label })),
          },
          {
            name: 'currency',
            kind: 'choice',
            label: msg`Currency`,
            options: currencies.map((code) => ({ value: code, label: { id: code } })),
          },
          activeFilter,
        ]}
        onOpen={({ id }) => navigate(`/methods/${id}`)}
      />
    </>
  );
}

function Hours({ opensAt, closesAt }: Pick<Method, 'opensAt' | 'closesAt'>) {
  const { t } = useLingui();
  return <>{opensAt === closesAt ? t`Always open` : `${opensAt} – ${closesAt}`}</>;
}
