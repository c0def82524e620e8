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
  /** Without this permission the button is hidden. */
  permission: string;
  path: string;
  method?: Method;
  /** The request body, including the version. The reason is added to it. */
  body?: object;
  reason?: 'optional' | 'required';
  /** Describes the change: a text, or the values before and after. */
  change: ReactNode | readonly Change[];
  /** Inputs of the action. Their values belong to `body`. */
  fields?: ReactNode;
  isDisabled?: boolean;
  onOpen?: () => void;
  onDone?: (value: T) => void;
} & Pick<ButtonProps, 'color' | 'size' | 'variant'>;

/** A button that opens a dialog with the planned change. Confirming the dialog sends the request. */
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
  const [reasonText, setReasonText] = useState('');
  const [isReasonMissing, setIsReasonMissing] = useState(false);
  const action = useAction<T>({ method, path, ...(onDone && { onDone }) });

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    event.stopPropagation(); // an editor may contain the button, and React would submit the editor too
    const trimmedReason = reasonText.trim();
    if (reason === 'required' && !trimmedReason) {
      setIsReasonMissing(true);
      return;
    }
    const value = await action.run({ ...body, ...(trimmedReason && { reason: trimmedReason }) });
    if (value === undefined || isWaitingForApproval(value)) return;
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
            value={reasonText}
            error={isReasonMissing && !reasonText.trim() ? t`Enter a reason.` : null}
            onChange={(event) => setReasonText(event.currentTarget.value)}
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

const isWaitingForApproval = (value: unknown): boolean =>
  (value as { approval?: { state?: string } } | null)?.approval?.state === 'waiting';

/** The values before and after a change, or a text about it. */
export function ChangeView({ change }: { change: ReactNode | readonly Change[] }) {
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
  change.every((item) => typeof item === 'object' && item !== null && 'after' in item);
