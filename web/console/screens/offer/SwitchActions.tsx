import { useLingui } from '@lingui/react/macro';
import { Badge, Group } from '@mantine/core';
import type { ReactNode } from 'react';

import { ActionButton } from '../../action/ActionButton.tsx';

type SwitchActionsProps = {
  permission: string;
  path: string;
  row: { enabled: boolean; maintenance: boolean; version: number };
  children?: ReactNode;
};

/** The state of a game or vendor, with buttons that switch it on or off, and in or out of maintenance. */
export function SwitchActions({ permission, path, row, children }: SwitchActionsProps) {
  const { t } = useLingui();
  const { enabled, maintenance, version } = row;
  const on = t`Enabled`;
  const off = t`Disabled`;
  return (
    <Group gap={6}>
      <Badge color={!enabled ? 'gray' : maintenance ? 'blue' : 'teal'}>
        {!enabled ? off : maintenance ? t`Maintenance` : on}
      </Badge>
      <ActionButton
        label={enabled ? t`Disable` : t`Enable`}
        size="xs"
        permission={permission}
        path={`${path}/${enabled ? 'disable' : 'enable'}`}
        body={{ version }}
        reason="optional"
        change={[{ label: t`Status`, before: enabled ? on : off, after: enabled ? off : on }]}
      />
      <ActionButton
        label={maintenance ? t`End maintenance` : t`Start maintenance`}
        size="xs"
        permission={permission}
        path={`${path}/${maintenance ? 'open' : 'maintenance'}`}
        body={{ version }}
        reason="optional"
        change={[
          {
            label: t`Maintenance`,
            before: maintenance ? t`Yes` : t`No`,
            after: maintenance ? t`No` : t`Yes: listed, but cannot be played`,
          },
        ]}
      />
      {children}
    </Group>
  );
}
