import { useLingui } from '@lingui/react/macro';
import { Select } from '@mantine/core';
import { useState } from 'react';

import { ActionButton } from '../../action/ActionButton.tsx';

/** Forces a break on a member. */
export function BreakButton({ path, version }: { path: string; version: number }) {
  const { t } = useLingui();
  const [period, setPeriod] = useState('24h');
  const periods = [
    { value: '24h', label: t`24 hours` },
    { value: '1w', label: t`1 week` },
    { value: '1m', label: t`1 month` },
    { value: '6w', label: t`6 weeks` },
    { value: '6M', label: t`6 months` },
    { value: '1y', label: t`1 year` },
    { value: '3y', label: t`3 years` },
    { value: '5y', label: t`5 years` },
    { value: 'life', label: t`For life` },
  ];
  return (
    <ActionButton
      label={t`Force a break`}
      color="red"
      permission="member.edit"
      path={path}
      body={{ version, period }}
      reason="required"
      change={t`The member cannot play or deposit until the break ends. It cannot be shortened.`}
      fields={
        <Select
          label={t`Period`}
          allowDeselect={false}
          data={periods}
          value={period}
          onChange={(chosen) => chosen && setPeriod(chosen)}
        />
      }
    />
  );
}
