import { useLingui } from '@lingui/react/macro';
import {
  Button,
  Fieldset,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';

import { currencies } from './currency.ts';
import { emptyAccount, ofCurrency, schemes, type Account, type MethodDraft } from './methods.ts';

/** Returns the labels of the fields that operators edit. */
export function useMethodLabels(): Record<keyof MethodDraft, string> {
  const { t } = useLingui();
  return {
    code: t`Code`,
    kind: t`Kind`,
    currency: t`Currency`,
    scheme: t`Payment code`,
    name: t`Name`,
    min: t`Minimum`,
    max: t`Maximum`,
    fee: t`Fixed fee`,
    feeRate: t`Share of the amount as fee (0.01 is 1 %)`,
    opensAt: t`Opens at`,
    closesAt: t`Closes at`,
    minutes: t`Minutes until it expires`,
    accounts: t`Accounts`,
    sorting: t`Order`,
    enabled: t`Enabled`,
  };
}

type MethodFieldsProps = {
  draft: MethodDraft;
  invalidFields: readonly string[];
  isNew: boolean;
  onChange: (part: Partial<MethodDraft>) => void;
};

export function MethodFields({ draft, invalidFields, isNew, onChange }: MethodFieldsProps) {
  const { t } = useLingui();
  const labels = useMethodLabels();
  const text = (name: Exclude<keyof MethodDraft, 'accounts' | 'enabled'>) => ({
    label: labels[name],
    value: draft[name],
    error: invalidFields.includes(name) ? t`Enter a number` : null,
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ [name]: event.currentTarget.value }),
  });
  const scheme = schemes[draft.currency] ?? '';
  const kinds = [
    ...(scheme ? [{ value: 'qr', label: t`Payment code` }] : []),
    { value: 'mt', label: t`Bank transfer` },
    ...(isNew ? [] : [{ value: 'pg', label: t`Gateway` }]),
  ];
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
        <TextInput {...text('code')} maxLength={40} disabled={!isNew} />
        <Select
          label={labels.kind}
          allowDeselect={false}
          data={kinds}
          value={draft.kind}
          disabled={!isNew}
          onChange={(kind) => kind && onChange({ kind })}
        />
        <Select
          label={labels.currency}
          allowDeselect={false}
          data={currencies}
          value={draft.currency}
          disabled={!isNew}
          onChange={(currency) => currency && onChange(ofCurrency(currency, draft.kind))}
        />
        <Select
          label={labels.scheme}
          allowDeselect={false}
          data={[
            { value: '', label: t`None` },
            ...(scheme ? [{ value: scheme, label: scheme }] : []),
          ]}
          value={draft.scheme}
          disabled={draft.kind === 'pg'}
          onChange={(next) => onChange({ scheme: next ?? '' })}
        />
        <TextInput {...text('name')} maxLength={100} />
        <TextInput {...text('min')} inputMode="decimal" />
        <TextInput {...text('max')} inputMode="decimal" />
        <TextInput {...text('fee')} inputMode="decimal" />
        <TextInput {...text('feeRate')} inputMode="decimal" />
        <TextInput {...text('opensAt')} type="time" />
        <TextInput
          {...text('closesAt')}
          type="time"
          description={t`The same as the opening: always open`}
        />
        <TextInput {...text('minutes')} inputMode="numeric" />
        <TextInput {...text('sorting')} inputMode="numeric" />
      </SimpleGrid>
      <Switch
        label={labels.enabled}
        checked={draft.enabled}
        onChange={(event) => onChange({ enabled: event.currentTarget.checked })}
      />
      {draft.kind !== 'pg' && (
        <Accounts
          accounts={draft.accounts}
          currency={draft.currency}
          onChange={(accounts) => onChange({ accounts })}
        />
      )}
    </Stack>
  );
}

type AccountsProps = {
  accounts: readonly Account[];
  currency: string;
  onChange: (accounts: readonly Account[]) => void;
};

function Accounts({ accounts, currency, onChange }: AccountsProps) {
  const { t } = useLingui();
  const labels: Partial<Record<keyof Account, string>> = {
    code: t`Code of the bank`,
    name: t`Name of the bank`,
    ...(currency === 'VND' && { bin: t`BIN of the bank (6 digits)` }),
    number: t`Account number, IBAN or key`,
    holder: t`Holder`,
    ...(currency === 'BRL' && { city: t`City` }),
  };
  return (
    <Stack>
      {accounts.map((account, i) => {
        const number = i + 1;
        return (
          // Accounts in the form have no id.
          // oxlint-disable-next-line react/no-array-index-key
          <Fieldset key={i} legend={t`Account ${number}`}>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              {(Object.keys(labels) as (keyof Account)[]).map((name) => (
                <TextInput
                  key={name}
                  label={labels[name]}
                  value={account[name] ?? ''}
                  onChange={(event) => {
                    const { value } = event.currentTarget;
                    onChange(
                      accounts.map((other, j) => (j === i ? { ...other, [name]: value } : other)),
                    );
                  }}
                />
              ))}
            </SimpleGrid>
            <Group justify="end" mt="sm">
              <Button
                variant="default"
                size="xs"
                onClick={() => onChange(accounts.filter((_, j) => j !== i))}
              >
                {t`Remove the account`}
              </Button>
            </Group>
          </Fieldset>
        );
      })}
      <Group>
        <Button variant="default" onClick={() => onChange([...accounts, emptyAccount])}>
          {t`Add an account`}
        </Button>
      </Group>
    </Stack>
  );
}
