import { useLingui } from '@lingui/react/macro';
import { Group, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'wouter';

import { ActionButton, type Change } from '../../action/ActionButton.tsx';
import { formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { NewerVersion } from '../../object/NewerVersion.tsx';
import { useDraft } from '../../object/useDraft.ts';
import { useObject } from '../../object/useObject.ts';
import { MessageState } from '../../states.tsx';
import { Status } from '../control/Status.tsx';
import { NewKey, type Key } from '../offer/vendors/NewKey.tsx';
import { Differences } from './Differences.tsx';
import { GatewayInputs } from './GatewayInputs.tsx';
import {
  gatewayBody,
  gatewaysPath,
  isGatewayDraft,
  type Gateway,
  type GatewayDraft,
} from './gateways.ts';

/** One gateway with its URL, its keys and its last reconciliation. */
export function GatewayScreen() {
  const { t } = useLingui();
  const { id = '' } = useParams();
  const gateways = useObject<{ list: readonly Gateway[] }>(
    `${gatewaysPath}?${new URLSearchParams({ q: id }).toString()}`,
  );
  return (
    <Detail query={gateways}>
      {({ list }) => {
        const gateway = list.find((item) => item.id === id);
        return gateway ? (
          <GatewayDetail key={gateway.id} gateway={gateway} />
        ) : (
          <MessageState icon="empty" text={t`This does not exist, or it was removed.`} />
        );
      }}
    </Detail>
  );
}

const permission = 'setting.edit';

function GatewayDetail({ gateway }: { gateway: Gateway }) {
  const { t } = useLingui();
  const path = `${gatewaysPath}/${gateway.id}`;
  const body = { version: gateway.version };
  const isActive = gateway.status === 'active';
  const { reconciliation } = gateway;
  return (
    <Stack>
      <Group>
        <Title order={2} size="h3">
          {gateway.name}
        </Title>
        <Status value={gateway.status} />
        <ActionButton
          label={isActive ? t`Disable` : t`Enable`}
          permission={permission}
          path={`${path}/${isActive ? 'disable' : 'enable'}`}
          body={body}
          change={
            isActive
              ? t`Nothing is sent to this gateway. Its notices credit and pay nothing by themselves: they become tasks.`
              : t`New payments and payouts can go to this gateway.`
          }
        />
      </Group>
      <Fields
        rows={[
          { label: t`Code`, value: gateway.code },
          { label: t`Currencies`, value: gateway.currencies.join(', ') },
          { label: t`Created`, value: formatTime(gateway.createdAt) },
        ]}
      />
      <GatewayForm gateway={gateway} path={path} />
      <Keys gateway={gateway} path={path} />
      <section>
        <Group mb="sm">
          <Title order={3} size="h4">
            {t`Reconciliation`}
          </Title>
          {reconciliation && <span>{formatTime(reconciliation.at)}</span>}
          <ActionButton
            label={t`Compare now`}
            permission={permission}
            path={`${path}/reconcile`}
            body={body}
            change={t`Asks the gateway about the payments and payouts of the last three days. No money moves.`}
          />
        </Group>
        {reconciliation ? (
          <Differences differences={reconciliation.differences} />
        ) : (
          <p>{t`Not compared yet`}</p>
        )}
      </section>
    </Stack>
  );
}

const draftOf = ({ name, url, min, max }: Gateway): GatewayDraft => ({
  name,
  url,
  min: String(min),
  max: String(max),
});

function GatewayForm({ gateway, path }: { gateway: Gateway; path: string }) {
  const { t } = useLingui();
  const form = useDraft(gateway, draftOf);
  const { draft } = form;
  const before = draftOf(form.base);
  const labels: Record<keyof GatewayDraft, string> = {
    name: t`Name`,
    url: t`Address of the gateway's calls`,
    min: t`Minimum`,
    max: t`Maximum`,
  };
  const changes: Change[] = (Object.keys(labels) as (keyof GatewayDraft)[])
    .filter((name) => before[name] !== draft[name])
    .map((name) => ({ label: labels[name], before: before[name], after: draft[name] }));
  return (
    <Stack>
      <GatewayInputs draft={draft} onChange={form.change} />
      {form.isOutdated && <NewerVersion onLoad={() => form.load(gateway)} />}
      <Group justify="end">
        <ActionButton
          label={t`Save`}
          variant="filled"
          permission={permission}
          path={`${path}/edit`}
          body={{ version: form.base.version, change: gatewayBody(draft) }}
          isDisabled={changes.length === 0 || !isGatewayDraft(draft)}
          change={changes}
          onDone={form.markSaved}
        />
      </Group>
    </Stack>
  );
}

function Keys({ gateway, path }: { gateway: Gateway; path: string }) {
  const { t } = useLingui();
  const [key, setKey] = useState<Key | null>(null);
  const { keys, version } = gateway;
  return (
    <section>
      <Group>
        <Title order={3} size="h4">
          {t`Keys`}
        </Title>
        <span>{t`Active keys: ${keys}`}</span>
        <ActionButton<{ key?: Key }>
          label={t`Rotate the key`}
          permission={permission}
          path={`${path}/rotate`}
          body={{ version }}
          reason="optional"
          change={t`A new key is created and shown once. The key before it stays valid until the next rotation, or until it is revoked.`}
          onDone={(done) => setKey(done.key ?? null)}
        />
        {keys > 1 && (
          <ActionButton
            label={t`Revoke the old key`}
            color="red"
            permission={permission}
            path={`${path}/retire`}
            body={{ version }}
            reason="required"
            change={t`Only the newest key stays valid. Notices that the gateway signs with an older one are refused at once.`}
          />
        )}
      </Group>
      <NewKey value={key} onClose={() => setKey(null)} />
    </section>
  );
}
