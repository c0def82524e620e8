import { useLingui } from '@lingui/react/macro';
import { Button, Group, Modal, Stack, Table, Textarea, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useState, type FormEvent, type ReactNode } from 'react';

import { useCan } from '../server/permissions.ts';
import { ActionResult } from './ActionResult.tsx';
import { useAction, type Method } from './useAction.ts';

/** One value that an action changes. */
export type Change = { label: string; before: ReactNode; after: ReactNode };

export type ActionButtonProps<T> = {
  label: string;
  /** The action is hidden without it. */
  permission: string;
  path: string;
  method?: Method;
  /** What is sent, with the version. The reason is added. */
  body?: object;
  reason?: 'optional' | 'required';
  /** What will change: a text, or values before and after. */
  change: ReactNode | readonly Change[];
  /** Inputs of the action. Their values belong to `body`. */
  fields?: ReactNode;
  isDisabled?: boolean;
  onOpen?: () => void;
  onDone?: (value: T) => void;
} & Pick<ButtonProps, 'color' | 'size' | 'variant'>;

/** A button that shows what will change in a dialog, then changes it. */
export function ActionButton<T = unknown>(props: ActionButtonProps<T>) {
  const { label, permission, color, size, variant = 'default', isDisabled = false, onOpen } = props;
  const [isOpen, dialog] = useDisclosure();
  const isAllowed = useCan(permission);
  if (!isAllowed) return null;
  return (
    <>
      <Button
        variant={variant}
        {...(color && { color })}
        {...(size && { size })}
        disabled={isDisabled}
        onClick={() => {
          onOpen?.();
          dialog.open();
        }}
      >
        {label}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={label}>
        <ActionForm {...props} onClose={dialog.close} />
      </Modal>
    </>
  );
}

type ActionFormProps<T> = ActionButtonProps<T> & { onClose: () => void };

function ActionForm<T>(props: ActionFormProps<T>) {
  const {
    label,
    color,
    path,
    method = 'POST',
    body,
    reason,
    change,
    fields,
    onDone,
    onClose,
  } = props;
  const { t } = useLingui();
  const [text, setText] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const action = useAction<T>({ method, path, ...(onDone && { onDone }) });

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    const given = text.trim();
    if (reason === 'required' && !given) {
      setIsMissing(true);
      return;
    }
    const value = await action.run({ ...body, ...(given && { reason: given }) });
    if (value === undefined || isWaiting(value)) return;
    notifications.show({ color: 'green', message: t`Done: ${label}` });
    onClose();
  }

  return (
    <form noValidate onSubmit={(event) => void send(event)}>
      <Stack>
        <ChangeView change={change} />
        {fields}
        {reason && (
          <Textarea
            label={reason === 'required' ? t`Reason` : t`Reason (optional)`}
            rows={3}
            maxLength={500}
            required={reason === 'required'}
            value={text}
            error={isMissing && !text.trim() ? t`Enter a reason.` : null}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <ActionResult error={action.error} approval={action.approval} />
        <Group justify="end">
          <Button variant="default" onClick={onClose}>
            {action.approval ? t`Close` : t`Cancel`}
          </Button>
          {!action.approval && (
            <Button type="submit" {...(color && { color })} loading={action.isBusy}>
              {label}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

const isWaiting = (value: unknown): boolean =>
  (value as { approval?: { state?: string } } | null)?.approval?.state === 'waiting';

/** The values before and after a change, or a text about it. */
function ChangeView({ change }: { change: ReactNode | readonly Change[] }) {
  const { t } = useLingui();
  if (!isChanges(change)) return <div>{change}</div>;
  return (
    <Table withTableBorder>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t`Field`}</Table.Th>
          <Table.Th>{t`Before`}</Table.Th>
          <Table.Th>{t`After`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {change.map(({ label, before, after }) => (
          <Table.Tr key={label}>
            <Table.Th scope="row">{label}</Table.Th>
            <Table.Td>{before}</Table.Td>
            <Table.Td>{after}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const isChanges = (change: ReactNode | readonly Change[]): change is readonly Change[] =>
  Array.isArray(change) &&
  change.every((each) => typeof each === 'object' && each !== null && 'after' in each);
