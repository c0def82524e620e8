import { msg } from '@lingui/core/macro';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { answerWith, Failing } from '../../src/lib/testing/answers.ts';
import { renderConsole } from '../testing/render.tsx';
import { DataList, type Column } from './DataList.tsx';
import type { Filter } from './Filters.tsx';

type Row = { id: string; name: string; amount: number };

const columns: readonly Column<Row>[] = [
  { key: 'id', title: msg`Id` },
  { key: 'name', title: msg`Name`, render: ({ name }) => <b>{name}</b> },
  { key: 'amount', title: msg`Amount`, isHidden: true, align: 'end' },
];

const filters: readonly Filter[] = [
  { name: 'q', kind: 'text', label: msg`Search` },
  {
    name: 'state',
    kind: 'choice',
    label: msg`Status`,
    options: [{ value: 'waiting', label: msg`Waiting` }],
  },
  { name: 'from', kind: 'date', label: msg`From` },
  { name: 'to', kind: 'date', label: msg`To` },
];

const rows: Row[] = [
  { id: 'a1', name: 'An', amount: 5 },
  { id: 'b2', name: 'Binh', amount: 7 },
];

let requests: Request[];
const lastQuery = () =>
  Object.fromEntries(new URL(requests.at(-1)?.url ?? 'http://none').searchParams);

const sorts = [
  { value: 'newest', label: msg`Newest first` },
  { value: 'name', label: msg`Name first` },
];

const renderList = (address = '/things', onOpen?: (row: Row) => void) =>
  renderConsole(
    <DataList<Row>
      name="things"
      path="/ops/v1/things"
      columns={columns}
      filters={filters}
      sorts={sorts}
      {...(onOpen && { onOpen })}
    />,
    address,
  );

beforeEach(() => {
  localStorage.clear();
  requests = answerWith({ 'GET /ops/v1/things': { list: rows, next: 'n2' } });
});

afterEach(() => vi.unstubAllGlobals());

test('a list shows its rows and sends the filters of the URL', async () => {
  renderList(
    '/things?q=an&state=waiting&from=2026-11-01&to=2026-11-02&sort=name&pageSize=50&other=1',
  );
  expect(await screen.findByText('Binh')).toBeVisible();
  expect(screen.getByLabelText('Search')).toHaveValue('an');
  expect(lastQuery()).toEqual({
    q: 'an',
    state: 'waiting',
    from: String(new Date(2026, 10, 1).getTime()),
    to: String(new Date(2026, 10, 3).getTime()),
    sort: 'name',
    pageSize: '50',
  });
});

test('a filter changes the URL, and clearing removes it', async () => {
  renderList('/things?cursor=n9');
  await screen.findByText('Binh');
  await userEvent.type(screen.getByLabelText('Search'), 'binh');
  await waitFor(() => expect(location.search).toBe('?q=binh'));
  await waitFor(() => expect(lastQuery()).toEqual({ q: 'binh', pageSize: '25' }));
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(location.search).toBe('');
  expect(screen.getByLabelText('Search')).toHaveValue('');
});

test('the sort orders of the list are a choice, and the first is the default', async () => {
  renderList('/things?cursor=n9&sort=-id');
  await screen.findByText('Binh');
  expect(lastQuery()).toEqual({ cursor: 'n9', pageSize: '25' });
  const sort = screen.getByRole('combobox', { name: 'Sort by' });
  expect(sort).toHaveValue('Newest first');
  await userEvent.click(sort);
  await userEvent.click(await screen.findByRole('option', { name: 'Name first', hidden: true }));
  expect(location.search).toBe('?sort=name');
  await waitFor(() => expect(lastQuery()).toEqual({ sort: 'name', pageSize: '25' }));
  await userEvent.click(sort);
  await userEvent.click(await screen.findByRole('option', { name: 'Newest first', hidden: true }));
  expect(location.search).toBe('');
});

test('a space stays while the search waits for the next word', async () => {
  renderList();
  await screen.findByText('Binh');
  const search = screen.getByLabelText('Search');
  await userEvent.type(search, 'nguyen ');
  await waitFor(() => expect(location.search).toBe('?q=nguyen'));
  await userEvent.type(search, 'thi');
  expect(search).toHaveValue('nguyen thi');
});

test('a row opens with the keyboard', async () => {
  const opened: string[] = [];
  renderList('/things', ({ id }) => opened.push(id));
  const row = (await screen.findByText('Binh')).closest('tr')!;
  act(() => row.focus());
  await userEvent.keyboard('{Enter}');
  expect(opened).toEqual(['b2']);
});

test('next follows the cursor of the server, and previous returns', async () => {
  answerWith({
    'GET /ops/v1/things': ({ url }: Request) =>
      new URL(url).searchParams.get('cursor') === 'n2'
        ? { list: [{ id: 'c3', name: 'Chi', amount: 1 }] }
        : { list: rows, next: 'n2' },
  });
  renderList();
  await screen.findByText('Binh');
  expect(screen.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect(location.search).toBe('?cursor=n2');
  expect(await screen.findByText('Chi')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: 'Previous' }));
  await waitFor(() => expect(location.search).toBe(''));
  expect(await screen.findByText('Binh')).toBeVisible();
});

test('a page that was opened directly offers the first page', async () => {
  renderList('/things?cursor=n7');
  await screen.findByText('Binh');
  expect(screen.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: 'First page' }));
  expect(location.search).toBe('');
});

test('the choice of columns is remembered, and one column always stays', async () => {
  const { unmount } = renderList();
  await screen.findByText('Binh');
  expect(screen.queryByRole('columnheader', { name: 'Amount' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  const toggleColumn = async (name: string) =>
    userEvent.click(await screen.findByRole('menuitemcheckbox', { name }));
  await toggleColumn('Amount');
  await toggleColumn('Name');
  await toggleColumn('Id');
  await toggleColumn('Amount');
  unmount();
  renderList();
  expect(await screen.findByRole('columnheader', { name: 'Amount' })).toBeVisible();
  expect(screen.queryByRole('columnheader', { name: 'Name' })).toBeNull();
  expect(screen.queryByRole('columnheader', { name: 'Id' })).toBeNull();
});

test('the CSV download sends the filters but no page', async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => {} });
  renderList('/things?state=waiting&cursor=n2');
  await screen.findByText('Binh');
  requests = answerWith({ 'GET /ops/v1/things': new Response('id\na1\n') });
  await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
  await waitFor(() => expect(saved).toEqual(['things.csv']));
  expect(lastQuery()).toEqual({ state: 'waiting', format: 'csv' });
});

test('a failed CSV download is reported', async () => {
  renderList();
  await screen.findByText('Binh');
  answerWith({ 'GET /ops/v1/things': new Failing(403, 'ops.forbidden') });
  await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
  expect(await screen.findByText('You do not have permission to do this.')).toBeVisible();
});

test('an empty list says that nothing was found', async () => {
  answerWith({ 'GET /ops/v1/things': { list: [] } });
  renderList();
  expect(await screen.findByText('Nothing found')).toBeVisible();
});

test('a list that cannot be loaded shows the error and a retry', async () => {
  answerWith({});
  renderList();
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('The server did not answer.');
  answerWith({ 'GET /ops/v1/things': { list: rows } });
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Binh')).toBeVisible();
});
