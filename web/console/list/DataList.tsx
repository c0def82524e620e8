import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, Select, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { DataTable } from 'mantine-datatable';
import type { KeyboardEvent, ReactNode } from 'react';

import { describeError } from '../server/errors.ts';
import { request } from '../server/request.ts';
import { FailedState, MessageState } from '../states.tsx';
import { pageSizes, requestQuery, useListAddress, type ListAddress } from './address.ts';
import { useColumnChoice } from './columns.ts';
import { Filters, type Filter } from './Filters.tsx';
import { ColumnMenu, CsvButton } from './ListActions.tsx';

import styles from './DataList.module.css';

export type Column<T> = {
  /** The field. */
  key: string & keyof T;
  title: MessageDescriptor;
  /** Renders the value. Defaults to the value as text. */
  render?: (row: T) => ReactNode;
  align?: 'start' | 'end';
  /** Hidden until the operator chooses it. */
  isHidden?: boolean;
};

type SortOrder = { value: string; label: MessageDescriptor };

export type DataListProps<T> = {
  /** The name of the CSV file, and the key of the stored column choice. */
  name: string;
  /** The endpoint that returns the list, such as `/ops/v1/members`. */
  path: string;
  columns: readonly Column<T>[];
  filters?: readonly Filter[];
  /** The sort orders of the API. The first is the default. Without a choice, the list has no input for it. */
  sorts?: readonly SortOrder[];
  onOpen?: (row: T) => void;
  /** The selected rows, for actions on several objects. */
  selection?: { rows: T[]; onChange: (rows: T[]) => void };
};

/** The average width of a column. A narrower list scrolls. */
const columnRem = 7.5;

type Page<T> = { list: T[]; next?: string | null };

/** Shows a list of the API with filters, sort orders, pages, a column menu and a CSV download. */
export function DataList<T extends { id: string }>(props: DataListProps<T>) {
  const { name, path, columns, filters = [], sorts = [], onOpen, selection } = props;
  const { t, i18n } = useLingui();
  const address = useListAddress(
    filters.map((filter) => filter.name),
    sorts.map(({ value }) => value),
  );
  const choice = useColumnChoice(name, columns);
  const dateFilters = filters.filter(({ kind }) => kind === 'date').map((filter) => filter.name);
  const query = requestQuery({ ...address, dateFilters });
  const pageQuery = {
    ...query,
    pageSize: address.pageSize,
    ...(address.cursor && { cursor: address.cursor }),
  };
  const page = useQuery({
    queryKey: ['list', path, pageQuery],
    queryFn: () => request<Page<T>>('GET', path, { query: pageQuery }),
    placeholderData: keepPreviousData,
  });
  const shown = columns.filter(({ key }) => choice.isVisible(key));
  const titles = columns.map(({ key, title }) => ({ key, label: i18n._(title) }));
  return (
    <Stack>
      <Group align="end" gap="sm" className={styles.tools}>
        <Filters filters={filters} address={address} />
        {sorts.length > 1 && (
          <Select
            label={t`Sort by`}
            allowDeselect={false}
            data={sorts.map(({ value, label }) => ({ value, label: i18n._(label) }))}
            value={address.sort || sorts[0]?.value || null}
            onChange={(value) => value && address.setSort(value)}
          />
        )}
        <Group gap="sm" className={styles.actions}>
          <ColumnMenu columns={titles} choice={choice} />
          <CsvButton name={name} path={path} query={query} />
        </Group>
      </Group>
      {page.error && page.data && (
        <Alert color="red" role="alert">
          {describeError(page.error)}
        </Alert>
      )}
      {page.error && !page.data ? (
        <FailedState
          error={page.error}
          busy={page.isFetching}
          onRetry={() => void page.refetch()}
        />
      ) : (
        <DataTable<T>
          withTableBorder
          backgroundColor="var(--surface)"
          verticalSpacing="sm"
          borderRadius="md"
          minHeight={300}
          fetching={page.isFetching}
          records={page.data?.list ?? []}
          emptyState={page.data ? <MessageState icon="empty" text={t`Nothing found`} /> : <span />}
          classNames={{ table: styles.table }}
          scrollAreaProps={{ viewportProps: { tabIndex: 0 } }} // wide tables are scrolled with the keyboard, too
          styles={{ table: { minWidth: `${shown.length * columnRem}rem` } }}
          columns={shown.map(({ key, title, render, align = 'start' }) => ({
            accessor: key,
            title: i18n._(title),
            titleClassName: styles[align],
            cellsClassName: () => styles[align],
            render: render ?? ((row) => String(row[key] ?? '')),
          }))}
          {...(selection && {
            selectedRecords: selection.rows,
            onSelectedRecordsChange: selection.onChange,
            allRecordsSelectionCheckboxProps: { 'aria-label': t`Select all rows` },
            getRecordSelectionCheckboxProps: (row: T) => ({
              'aria-label': t`Select row ${row.id}`,
            }),
          })}
          {...(onOpen && {
            highlightOnHover: true,
            onRowClick: ({ record }: { record: T }) => onOpen(record),
            customRowAttributes: (row: T) => ({
              tabIndex: 0,
              onKeyDown: (event: KeyboardEvent) => {
                // Enter on a button of the row presses that button.
                if (event.key === 'Enter' && event.target === event.currentTarget) onOpen(row);
              },
            }),
          })}
        />
      )}
      <Pages address={address} next={page.data?.next ?? ''} isBusy={page.isPlaceholderData} />
    </Stack>
  );
}

type PagesProps = { address: ListAddress; next: string; isBusy: boolean };

/** The API has no page numbers: each page returns the cursor of the next one. The previous page is in the browser history. */
function Pages({ address, next, isBusy }: PagesProps) {
  const { t } = useLingui();
  return (
    <Group justify="space-between">
      <Select
        aria-label={t`Rows per page`}
        w={90}
        allowDeselect={false}
        data={[...pageSizes]}
        value={address.pageSize}
        onChange={(size) => size && address.setPageSize(size)}
      />
      <Group gap="sm">
        {address.cursor && (
          <Button variant="default" onClick={address.openFirst}>
            {t`First page`}
          </Button>
        )}
        <Button
          variant="default"
          disabled={address.page === null || address.page === 1}
          onClick={() => history.back()}
        >
          {t`Previous`}
        </Button>
        <Button variant="default" disabled={!next || isBusy} onClick={() => address.openNext(next)}>
          {t`Next`}
        </Button>
      </Group>
    </Group>
  );
}
