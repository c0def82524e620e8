import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Code, Group, Stack, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';

import { ActionButton } from '../../../action/ActionButton.tsx';
import { formatTime } from '../../../format.ts';
import { DataList, type Column } from '../../../list/DataList.tsx';
import { Detail } from '../../../object/Detail.tsx';
import { Fields } from '../../../object/Fields.tsx';
import { useObject } from '../../../object/useObject.ts';
import { HouseTabs } from './HouseTabs.tsx';

const permission = 'house.repair';

type Series = {
  id: string;
  kind: string;
  name: string;
  generation: number;
  state: 'waiting' | 'running' | 'ended';
  length: number;
  used: number;
  end: string;
  source: 'operator' | 'beacon' | 'announced';
  detail: string;
  dueAt: number;
  value: string;
  salt: string;
  startedAt: number;
  version: number;
  actions: readonly ('announce' | 'value' | 'end')[];
};

const stateLabels: Record<Series['state'], MessageDescriptor> = {
  waiting: msg`Waits for its salt`,
  running: msg`Running`,
  ended: msg`Ended`,
};

const sourceLabels: Record<Series['source'], MessageDescriptor> = {
  operator: msg`The operator chose the start`,
  beacon: msg`Public randomness beacon`,
  announced: msg`Announced public result`,
};

function Translated({ message }: { message: MessageDescriptor }) {
  const { i18n } = useLingui();
  return i18n._(message);
}

const columns: readonly Column<Series>[] = [
  { key: 'name', title: msg`Name` },
  { key: 'generation', title: msg`Series`, align: 'end' },
  {
    key: 'state',
    title: msg`Status`,
    render: ({ state }) => <Translated message={stateLabels[state]} />,
  },
  {
    key: 'source',
    title: msg`Source of the salt`,
    render: ({ source }) => <Translated message={sourceLabels[source]} />,
  },
  { key: 'used', title: msg`Used links`, align: 'end' },
  {
    key: 'end',
    title: msg`End of the chain`,
    render: ({ end }) => <Code>{end.slice(0, 16)}…</Code>,
  },
];

export function FairnessScreen() {
  const [, navigate] = useLocation();
  return (
    <>
      <HouseTabs />
      <DataList
        name="fairness"
        path="/ops/v1/fairness"
        columns={columns}
        filters={[{ name: 'q', kind: 'text', label: msg`Search` }]}
        onOpen={({ id }) => navigate(`/fairness/${id}`)}
      />
    </>
  );
}

export function SeriesScreen() {
  const { t } = useLingui();
  const { id = '' } = useParams();
  const series = useObject<Series>(`/ops/v1/fairness/${id}`);
  return (
    <Detail query={series}>
      {(value) => (
        <Stack>
          <Group justify="space-between">
            <Title order={1} size="h3">
              {value.name} · {value.generation}
            </Title>
            <Group>
              {value.actions.includes('announce') && <Announce series={value} />}
              {value.actions.includes('value') && <EnterResult series={value} />}
              {value.actions.includes('end') && <EndSeries series={value} />}
            </Group>
          </Group>
          <Fields
            rows={[
              { label: t`Status`, value: <Translated message={stateLabels[value.state]} /> },
              {
                label: t`Source of the salt`,
                value: <Translated message={sourceLabels[value.source]} />,
              },
              { label: t`Public value`, value: value.detail },
              { label: t`Public from`, value: value.dueAt > 0 ? formatTime(value.dueAt) : '' },
              { label: t`Result`, value: value.value },
              { label: t`Salt`, value: value.salt },
              { label: t`End of the chain`, value: <Code>{value.end}</Code> },
              { label: t`Used links`, value: `${value.used} / ${value.length}` },
            ]}
          />
        </Stack>
      )}
    </Detail>
  );
}

function Announce({ series }: { series: Series }) {
  const { t } = useLingui();
  const [detail, setDetail] = useState('');
  const [due, setDue] = useState('');
  return (
    <ActionButton
      label={t`Announce a result`}
      permission={permission}
      path="/ops/v1/fairness"
      body={{ kind: series.kind, name: series.name, detail, dueAt: new Date(due).getTime() || 0 }}
      change={t`The end of the next series is published now. It starts when two operators have entered the result. This series goes on until then.`}
      fields={
        <>
          <TextInput
            label={t`Which public result`}
            description={t`Everyone must be able to find it, for example: special prize of the national lottery on 1 December`}
            value={detail}
            maxLength={300}
            required
            onChange={(event) => setDetail(event.currentTarget.value)}
          />
          <TextInput
            type="datetime-local"
            label={t`Public from`}
            description={t`At least 24 hours from now`}
            value={due}
            required
            onChange={(event) => setDue(event.currentTarget.value)}
          />
        </>
      }
    />
  );
}

function EnterResult({ series }: { series: Series }) {
  const { t } = useLingui();
  const [value, setValue] = useState('');
  return (
    <ActionButton
      label={t`Enter the result`}
      permission={permission}
      path={`/ops/v1/fairness/${series.id}/value`}
      body={{ version: series.version, value }}
      reason="optional"
      change={[
        { label: t`Public value`, before: series.detail, after: value },
        { label: t`Status`, before: t`Waits for its salt`, after: t`Running` },
      ]}
      fields={
        <TextInput
          label={t`Result`}
          description={t`Letters and digits, as published`}
          value={value}
          maxLength={100}
          required
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      }
    />
  );
}

function EndSeries({ series }: { series: Series }) {
  const { t } = useLingui();
  return (
    <ActionButton
      label={t`End the series`}
      color="red"
      permission={permission}
      path={`/ops/v1/fairness/${series.id}/end`}
      body={{ version: series.version }}
      reason="required"
      change={t`The series ends without a round and stays public. If no other series of this name runs, the next one starts now and says that the operator chose its start.`}
    />
  );
}
