import { useLingui } from '@lingui/react/macro';
import { Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { useObject } from '../../object/useObject.ts';
import { useCan } from '../../server/permissions.ts';
import { Status } from './Status.tsx';

type Steps = {
  done: boolean;
  siteName: string;
  currency: string;
  version: number;
  steps: readonly { name: 'site' | 'games' | 'payments' | 'deposit'; state: string }[];
};

/** Guides an operator through the setup of a new site. It is hidden once all steps are done. */
export function FirstSteps() {
  const { t } = useLingui();
  const { data } = useObject<Steps>('/ops/v1/first-steps');
  const isAllowed = useCan('setting.edit');
  if (!data || data.done || !isAllowed) return null;
  const stateOf = (name: string): string =>
    data.steps.find((step) => step.name === name)?.state ?? 'open';
  return (
    <Card withBorder component="section" aria-label={t`First steps`}>
      <Stack>
        <Title order={2} size="h4">{t`First steps`}</Title>
        <Step title={t`1. Name and currency`} state={stateOf('site')}>
          <NameForm key={data.version} steps={data} />
        </Step>
        <Step title={t`2. Games`} state={stateOf('games')}>
          <Group>
            <ActionButton
              label={t`Install the House`}
              permission="vendor.edit"
              path="/ops/v1/first-steps/house"
              body={{}}
              change={t`The House's games are added to the site. You can hide them later.`}
            />
            <Button component={Link} href="/vendors" variant="default">
              {t`Add a vendor`}
            </Button>
          </Group>
        </Step>
        <Step title={t`3. Payment methods`} state={stateOf('payments')}>
          <Group>
            <Button component={Link} href="/methods/new" variant="default">
              {t`Add a payment method`}
            </Button>
            <Button component={Link} href="/gateways" variant="default">
              {t`Gateways`}
            </Button>
          </Group>
        </Step>
        <Step title={t`4. A test deposit`} state={stateOf('deposit')}>
          <Text size="sm">
            {t`Open the app as a member, deposit a small amount, then confirm it under Deposits.`}
          </Text>
          <Group>
            <Button component="a" href="/m/voucherCenter" target="_blank" variant="default">
              {t`Open the app's deposit page`}
            </Button>
            <Button component={Link} href="/deposits" variant="default">
              {t`Deposits`}
            </Button>
          </Group>
        </Step>
      </Stack>
    </Card>
  );
}

type StepProps = { title: string; state: string; children: ReactNode };

function Step({ title, state, children }: StepProps) {
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Text fw={700}>{title}</Text>
        <Status value={state} />
      </Group>
      {state !== 'done' && children}
    </Stack>
  );
}

function NameForm({ steps }: { steps: Steps }) {
  const { t } = useLingui();
  const [name, setName] = useState(steps.siteName);
  return (
    <Group align="end">
      <TextInput
        label={t`Name of the site`}
        description={t`Currency: ${steps.currency}. It was chosen at the first start and never changes.`}
        maxLength={64}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ActionButton
        label={t`Save the name`}
        variant="filled"
        permission="setting.edit"
        path="/ops/v1/first-steps/site"
        body={{ name: name.trim(), version: steps.version }}
        isDisabled={!name.trim()}
        change={[{ label: t`Name of the site`, before: steps.siteName, after: name.trim() }]}
      />
    </Group>
  );
}
