import { useLingui } from '@lingui/react/macro';
import {
  Button,
  Checkbox,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';

import { ActionButton, type Change } from '../../../action/ActionButton.tsx';
import { ActionResult } from '../../../action/ActionResult.tsx';
import { useAction } from '../../../action/useAction.ts';
import { NewerVersion } from '../../../object/NewerVersion.tsx';
import { useDraft } from '../../../object/useDraft.ts';
import { NewKey, type Key } from './NewKey.tsx';

export type Vendor = {
  id: string;
  code: string;
  name: string;
  launchUrl: string;
  launchMode: string;
  house: boolean;
  ownWallet: boolean;
  enabled: boolean;
  games: number;
  status: string;
  version: number;
  keys?: readonly { keyId: string; createdAt: number; retiredAt: number }[];
};

type Fields = Pick<Vendor, 'name' | 'launchUrl' | 'launchMode' | 'enabled' | 'ownWallet'>;

const fieldsOf = ({ name, launchUrl, launchMode, enabled, ownWallet }: Vendor): Fields => ({
  name,
  launchUrl,
  launchMode,
  enabled,
  ownWallet,
});

/** Edits a vendor. The dialog of the save button shows the changes. */
export function VendorForm({ vendor }: { vendor: Vendor }) {
  const { t } = useLingui();
  const form = useDraft(vendor, fieldsOf);
  const { base, draft: fields, change: update } = form;
  const yesNo = (value: boolean) => (value ? t`Yes` : t`No`);
  const changes: Change[] = [
    { label: t`Name`, before: base.name, after: fields.name },
    { label: t`Launch address`, before: base.launchUrl, after: fields.launchUrl },
    { label: t`Opens in`, before: base.launchMode, after: fields.launchMode },
    { label: t`Enabled`, before: yesNo(base.enabled), after: yesNo(fields.enabled) },
    { label: t`Own wallet`, before: yesNo(base.ownWallet), after: yesNo(fields.ownWallet) },
  ].filter(({ before, after }) => before !== after);
  return (
    <Stack>
      {form.isOutdated && <NewerVersion onLoad={() => form.load(vendor)} />}
      <VendorInputs fields={fields} isHouse={vendor.house} onChange={update} />
      <Group>
        <Checkbox
          label={t`Enabled`}
          checked={fields.enabled}
          onChange={(event) => update({ enabled: event.currentTarget.checked })}
        />
        <Checkbox
          label={t`Own wallet`}
          checked={fields.ownWallet}
          onChange={(event) => update({ ownWallet: event.currentTarget.checked })}
        />
        <ActionButton
          label={t`Save`}
          variant="filled"
          permission="vendor.edit"
          method="PUT"
          path={`/ops/v1/vendors/${vendor.id}`}
          body={{ version: base.version, ...fields }}
          isDisabled={changes.length === 0}
          reason="optional"
          change={changes}
          onDone={form.markSaved}
        />
      </Group>
    </Stack>
  );
}

type VendorInputsProps = {
  fields: Pick<Fields, 'name' | 'launchUrl' | 'launchMode'>;
  isHouse?: boolean;
  onChange: (part: Partial<Fields>) => void;
};

function VendorInputs({ fields, isHouse = false, onChange }: VendorInputsProps) {
  const { t } = useLingui();
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <TextInput
        label={t`Name`}
        maxLength={64}
        value={fields.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t`Launch address`}
        placeholder="https://play.example/?t={ticket}"
        disabled={isHouse}
        value={fields.launchUrl}
        onChange={(event) => onChange({ launchUrl: event.currentTarget.value })}
      />
      <Select
        label={t`Opens in`}
        allowDeselect={false}
        data={[
          { value: 'frame', label: t`A frame of the app` },
          { value: 'window', label: t`A new window` },
        ]}
        value={fields.launchMode}
        onChange={(launchMode) => launchMode && onChange({ launchMode })}
      />
    </SimpleGrid>
  );
}

/** Creates a vendor with its games and shows its first key. */
export function NewVendorScreen() {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  const [code, setCode] = useState('');
  const [fields, setFields] = useState({ name: '', launchUrl: '', launchMode: 'frame' });
  const [games, setGames] = useState('');
  const [key, setKey] = useState<Key | null>(null);
  const create = useAction<Key>({ path: '/ops/v1/vendors', onDone: setKey });

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    const list = games
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line) => {
        const [game = '', category = ''] = line.split(':');
        return { code: game.trim(), category: category.trim() };
      });
    const created = await create.run({ code, ...fields, games: list });
    if (created) notifications.show({ color: 'green', message: t`Saved` });
  }

  return (
    <form noValidate onSubmit={(event) => void send(event)}>
      <Stack>
        <TextInput
          label={t`Code`}
          maxLength={32}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <VendorInputs
          fields={fields}
          onChange={(part) => setFields((current) => ({ ...current, ...part }))}
        />
        <Textarea
          label={t`Games, one per line: CODE:CATEGORY`}
          description={t`Leave it empty to connect a vendor that was imported with its games.`}
          rows={4}
          value={games}
          onChange={(event) => setGames(event.currentTarget.value)}
        />
        <ActionResult error={create.error} approval={create.approval} />
        <Group justify="end">
          <Button type="submit" loading={create.isBusy}>
            {t`Create`}
          </Button>
        </Group>
        <NewKey value={key} onClose={() => navigate('/vendors')} />
      </Stack>
    </form>
  );
}
