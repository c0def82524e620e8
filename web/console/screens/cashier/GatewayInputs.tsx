import { useLingui } from '@lingui/react/macro';
import { SimpleGrid, TextInput } from '@mantine/core';

import type { GatewayDraft } from './gateways.ts';

type GatewayInputsProps = {
  draft: GatewayDraft;
  onChange: (part: Partial<GatewayDraft>) => void;
};

export function GatewayInputs({ draft, onChange }: GatewayInputsProps) {
  const { t } = useLingui();
  const text = (name: keyof GatewayDraft) => ({
    value: draft[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ [name]: event.currentTarget.value }),
  });
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label={t`Name`} maxLength={100} {...text('name')} />
      <TextInput
        label={t`Address of the gateway's calls`}
        placeholder="https://pay.example/api"
        maxLength={500}
        {...text('url')}
      />
      <TextInput label={t`Minimum`} inputMode="decimal" {...text('min')} />
      <TextInput
        label={t`Maximum`}
        description={t`0: no maximum`}
        inputMode="decimal"
        {...text('max')}
      />
    </SimpleGrid>
  );
}
