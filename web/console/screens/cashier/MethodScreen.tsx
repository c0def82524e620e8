import { useLingui } from '@lingui/react/macro';
import { Button, Group, Stack, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState, type FormEvent } from 'react';
import { useLocation, useParams } from 'wouter';

import { ActionButton, type Change } from '../../action/ActionButton.tsx';
import { ActionResult } from '../../action/ActionResult.tsx';
import { useAction } from '../../action/useAction.ts';
import { Detail } from '../../object/Detail.tsx';
import { NewerVersion } from '../../object/NewerVersion.tsx';
import { useDraft } from '../../object/useDraft.ts';
import { useObject } from '../../object/useObject.ts';
import { MessageState } from '../../states.tsx';
import { Status } from '../control/Status.tsx';
import { useSiteCurrency } from './currency.ts';
import { MethodFields, useMethodLabels } from './MethodFields.tsx';
import {
  bodyOf,
  draftOf,
  emptyMethod,
  wrongNumbers,
  type Method,
  type MethodDraft,
} from './methods.ts';
import { methodsPath } from './MethodsScreen.tsx';

/** One payment method. */
export function MethodScreen() {
  const { t } = useLingui();
  const { id = '' } = useParams();
  const methods = useObject<{ list: readonly Method[] }>(
    `${methodsPath}?${new URLSearchParams({ q: id }).toString()}`,
  );
  return (
    <Detail query={methods}>
      {({ list }) => {
        const method = list.find((item) => item.id === id);
        return method ? (
          <MethodForm key={method.id} method={method} />
        ) : (
          <MessageState icon="empty" text={t`This does not exist, or it was removed.`} />
        );
      }}
    </Detail>
  );
}

function MethodForm({ method }: { method: Method }) {
  const { t } = useLingui();
  const labels = useMethodLabels();
  const form = useDraft(method, draftOf);
  const { draft } = form;
  const before = draftOf(form.base);
  const invalidFields = wrongNumbers(draft);
  const textOf = (value: MethodDraft[keyof MethodDraft]): string =>
    typeof value === 'boolean'
      ? value
        ? t`Yes`
        : t`No`
      : typeof value === 'string'
        ? value
        : value.map(({ name, number, holder }) => `${name} ${number} ${holder}`).join('; ');
  const changes: Change[] = (Object.keys(labels) as (keyof MethodDraft)[])
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(draft[name]))
    .map((name) => ({
      label: labels[name],
      before: textOf(before[name]),
      after: textOf(draft[name]),
    }));
  return (
    <Stack>
      <Group>
        <Title order={2} size="h3">
          {method.name}
        </Title>
        <Status value={method.status} />
      </Group>
      <MethodFields
        draft={draft}
        invalidFields={invalidFields}
        isNew={false}
        onChange={form.change}
      />
      {form.isOutdated && <NewerVersion onLoad={() => form.load(method)} />}
      <Group justify="end">
        <ActionButton<Method>
          label={t`Save`}
          variant="filled"
          permission="setting.edit"
          method="PUT"
          path={`${methodsPath}/${method.id}`}
          body={{ ...bodyOf(draft), version: form.base.version }}
          isDisabled={changes.length === 0 || invalidFields.length > 0}
          change={changes}
          onDone={form.load}
        />
      </Group>
    </Stack>
  );
}

/** Creates a payment method for bank transfers or payment codes. Gateways create their own methods. */
export function NewMethodScreen() {
  const site = useSiteCurrency();
  return <Detail query={site}>{({ currency }) => <NewMethodForm currency={currency} />}</Detail>;
}

function NewMethodForm({ currency: siteCurrency }: { currency: string }) {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState<MethodDraft>(() => emptyMethod(siteCurrency));
  const [isSubmitted, setIsSubmitted] = useState(false);
  const create = useAction<Method>({ path: methodsPath });
  const invalidFields = isSubmitted ? wrongNumbers(draft) : [];

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    setIsSubmitted(true);
    if (wrongNumbers(draft).length > 0) return;
    const { code, kind, currency } = draft;
    const created = await create.run({ ...bodyOf(draft), code: code.trim(), kind, currency });
    if (!created) return;
    notifications.show({ color: 'green', message: t`Saved` });
    navigate('/methods');
  }

  return (
    <form noValidate onSubmit={(event) => void send(event)}>
      <Stack>
        <Title order={2} size="h3">
          {t`New payment method`}
        </Title>
        <MethodFields
          draft={draft}
          invalidFields={invalidFields}
          isNew
          onChange={(part) => setDraft({ ...draft, ...part })}
        />
        <ActionResult error={create.error} approval={create.approval} />
        <Group justify="end">
          <Button type="submit" loading={create.isBusy}>
            {t`Create`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
