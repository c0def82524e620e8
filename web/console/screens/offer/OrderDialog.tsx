import { useLingui } from '@lingui/react/macro';
import { ActionIcon, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type DragEvent, type KeyboardEvent, type ReactNode } from 'react';

import { ActionResult } from '../../action/ActionResult.tsx';
import { request, type Query } from '../../server/request.ts';
import { FailedState, LoadingState } from '../../states.tsx';

import styles from './OrderDialog.module.css';

type Row = { id: string; version: number };

type OrderDialogProps<T extends Row> = {
  label: string;
  /** The endpoint that returns the rows in display order. */
  path: string;
  query?: Query;
  /** Returns the endpoint that moves a row. */
  movePath: (row: T) => string;
  nameOf: (row: T) => string;
  rowsOf?: (value: unknown) => T[];
  /** Returns additional buttons for a row. */
  actions?: (row: T) => ReactNode;
};

/** A button that opens a dialog for reordering a list. Rows are dragged, or moved with buttons and the arrow keys. Each move is saved immediately. */
export function OrderDialog<T extends Row>(props: OrderDialogProps<T>) {
  const [isOpen, dialog] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {props.label}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={props.label} size="lg">
        <OrderList {...props} />
      </Modal>
    </>
  );
}

const listOf = <T,>(value: unknown): T[] => (value as { list: T[] }).list;

function OrderList<T extends Row>(props: OrderDialogProps<T>) {
  const { path, query = {}, movePath, nameOf, rowsOf = listOf, actions } = props;
  const { t } = useLingui();
  const listQuery = { pageSize: '100', ...query };
  const rows = useQuery({
    queryKey: ['list', path, 'order', listQuery],
    queryFn: async () => rowsOf(await request<unknown>('GET', path, { query: listQuery })),
  });
  const queryClient = useQueryClient();
  const [dragged, setDragged] = useState<number | null>(null);
  const moveMutation = useMutation<unknown, Error, { row: T; after: string }>({
    mutationFn: ({ row, after }) =>
      request('POST', movePath(row), { body: { version: row.version, after } }),
    // After an error the list shows the stored order again.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['list'] }),
  });
  if (!rows.data)
    return rows.error ? (
      <FailedState error={rows.error} onRetry={() => void rows.refetch()} />
    ) : (
      <LoadingState />
    );
  const list = rows.data;

  function move(from: number, to: number): void {
    const row = list[from];
    if (!row || to < 0 || to >= list.length || from === to || moveMutation.isPending) return;
    const others = list.filter((other) => other !== row);
    moveMutation.mutate({ row, after: to === 0 ? '' : others[to - 1]!.id });
  }

  function handleKey(event: KeyboardEvent, index: number): void {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    move(index, event.key === 'ArrowUp' ? index - 1 : index + 1);
  }

  return (
    <Stack gap="xs">
      <Text size="sm">{t`Drag a row, or move it with its buttons. Each move is saved at once.`}</Text>
      <ActionResult error={moveMutation.error} approval={null} />
      <ol className={styles.list}>
        {list.map((row, index) => {
          const name = nameOf(row);
          return (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the buttons do the same
            <li
              key={row.id}
              draggable
              className={styles.row}
              data-dragged={dragged === index || undefined}
              onDragStart={() => setDragged(index)}
              onDragEnd={() => setDragged(null)}
              onDragOver={(event: DragEvent) => event.preventDefault()}
              onDrop={(event: DragEvent) => {
                event.preventDefault();
                if (dragged !== null) move(dragged, index);
                setDragged(null);
              }}
            >
              <span>{name}</span>
              <Group gap={4}>
                {actions?.(row)}
                <ActionIcon
                  variant="default"
                  size="lg"
                  aria-label={t`Move ${name} up`}
                  disabled={index === 0}
                  onKeyDown={(event) => handleKey(event, index)}
                  onClick={() => move(index, index - 1)}
                >
                  ↑
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  size="lg"
                  aria-label={t`Move ${name} down`}
                  disabled={index === list.length - 1}
                  onKeyDown={(event) => handleKey(event, index)}
                  onClick={() => move(index, index + 1)}
                >
                  ↓
                </ActionIcon>
              </Group>
            </li>
          );
        })}
      </ol>
    </Stack>
  );
}
