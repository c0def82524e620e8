// Screens that only show what the server returns: with content, without, and after a failure.
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Route, Switch } from 'wouter';

import { answerWith, Failing, sentTo } from '../../src/lib/testing/answers.ts';
import { renderScreen } from '../testing/render.tsx';
import { controlRoutes } from './control/routes.ts';
import { playersRoutes } from './players/routes.ts';

afterEach(() => vi.unstubAllGlobals());

const routes = [...controlRoutes, ...playersRoutes];

const permissions = ['report.read', 'operator.edit', 'ledger.adjust', 'member.read', 'member.edit'];

function open(address: string, answers: Record<string, unknown>) {
  const requests = answerWith({ 'GET /ops/v1/merchants': { list: [] }, ...answers });
  renderScreen(
    <Switch>
      {routes.map(({ path, screen: Screen }) => (
        <Route key={path} path={path} component={Screen} />
      ))}
    </Switch>,
    { permissions, address },
  );
  return requests;
}

const operator = {
  id: '3',
  name: 'thuha',
  roles: ['support'],
  enrolled: true,
  status: 'active',
  createdAt: 1,
  version: 2,
};
const roles = [
  { name: 'owner', builtIn: true, permissions: ['report.read', 'operator.edit'] },
  { name: 'night', builtIn: false, permissions: ['report.read'] },
];
const transfer = {
  id: '41',
  kind: 'deposit',
  status: 'posted',
  amount: 500_000,
  currency: 'VND',
  from: 'house/bank',
  to: 'cash',
  toMember: 'lan2024',
  reference: 'VELK',
  note: '',
  createdAt: 1,
};
const round = {
  id: '51',
  round: 'r-51',
  vendor: 'JL',
  game: 'Dragon',
  memberId: '7',
  username: 'lan2024',
  currency: 'VND',
  stake: 10_000,
  win: 25_000,
  status: 'won',
  startedAt: 1,
};
const task = {
  id: '61',
  kind: 'kyc',
  reference: '9',
  object: 'kyc/9',
  state: 'open',
  claimedBy: '',
  createdAt: 1,
  version: 2,
};
const check = { state: 'ok', requestedBy: 'thuha', requestedAt: 1, finishedAt: 2 };

const page = (...list: unknown[]) => ({ list, next: '' });
const nothing = { value: page(), text: 'Nothing found' };
const removed = {
  value: new Failing(404, 'ops.not_found'),
  text: 'This does not exist, or it was removed.',
};

type Case = {
  address: string;
  request: string;
  full: unknown;
  /** The names of rows of the full screen. */
  rows: readonly RegExp[];
  empty?: { value: unknown; text: string };
};

const cases: readonly Case[] = [
  {
    address: '/operators',
    request: '/ops/v1/operators',
    full: page(operator),
    rows: [/^thuha support Active ✓/],
    empty: nothing,
  },
  {
    address: '/operators/roles',
    request: '/ops/v1/roles',
    full: roles,
    rows: [/^owner report.read, operator.edit Built in$/, /^night .*Delete role night$/],
  },
  {
    address: '/transfers',
    request: '/ops/v1/transfers',
    full: page(transfer),
    rows: [/ 41 Deposit 500,000\sVND house\/bank lan2024 \(cash\) VELK Posted$/],
    empty: nothing,
  },
  {
    address: '/transfers/41',
    request: '/ops/v1/transfers/41',
    full: {
      ...transfer,
      key: 'k-41',
      entries: [
        { account: 'house/bank', amount: -500_000 },
        { account: 'cash', member: 'lan2024', amount: 500_000, after: 700_000 },
      ],
    },
    rows: [/^house\/bank .500,000\sVND –$/, /^lan2024 \(cash\) 500,000\sVND 700,000\sVND$/],
    empty: removed,
  },
  {
    address: '/ledger',
    request: '/ops/v1/ledger',
    full: { checks: [check] },
    rows: [/ thuha .* In order$/],
    empty: { value: { checks: [] }, text: 'The ledger has not been checked yet' },
  },
  {
    address: '/tasks',
    request: '/ops/v1/tasks',
    full: page(task),
    rows: [/ Identity check kyc\/9 Open Claim$/],
    empty: nothing,
  },
  {
    address: '/rounds',
    request: '/ops/v1/rounds',
    full: page(round),
    rows: [/ r-51 JL Dragon lan2024 10,000\sVND 25,000\sVND Won$/],
    empty: nothing,
  },
  {
    address: '/rounds/51',
    request: '/ops/v1/rounds/51',
    full: { ...round, moves: [{ id: '41', call: 'win', amount: 25_000, at: 1 }] },
    rows: [/ win 25,000\sVND 41$/],
    empty: removed,
  },
];

test.each(cases)('$address shows its content', async ({ address, request, full, rows }) => {
  open(address, { [`GET ${request}`]: full });
  for (const name of rows) expect(await screen.findByRole('row', { name })).toBeVisible();
});

test.each(cases.filter(({ empty }) => empty))(
  '$address says that there is nothing',
  async ({ address, request, empty }) => {
    open(address, { [`GET ${request}`]: empty?.value });
    expect(await screen.findByText(empty?.text ?? '')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  },
);

test.each(cases)(
  '$address shows an error and loads again',
  async ({ address, request, full, rows }) => {
    open(address, { [`GET ${request}`]: new Failing(500, 'system.error') });
    const failure = within(await screen.findByRole('alert'));
    expect(failure.getByText('The server reported an error: system.error.')).toBeVisible();
    answerWith({ [`GET ${request}`]: full });
    await userEvent.click(failure.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('row', { name: rows[0]! })).toBeVisible();
  },
);

test('a claimed task can be given back, and done by the operator who claimed it', async () => {
  let current = task;
  const bodies: unknown[] = [];
  const change = (path: string, fields: Partial<typeof task>) => ({
    [`POST /ops/v1/tasks/61/${path}`]: async (request: Request) => {
      bodies.push([path, await request.json()]);
      current = { ...current, ...fields, version: current.version + 1 };
      return current;
    },
  });
  open('/tasks', {
    'GET /ops/v1/tasks': () => page(current),
    ...change('claim', { state: 'claimed', claimedBy: 'vy' }),
    ...change('release', { state: 'open', claimedBy: '' }),
    ...change('done', { state: 'done' }),
  });
  const press = async (name: string) =>
    userEvent.click(await screen.findByRole('button', { name }));
  await press('Claim');
  expect(await screen.findByRole('row', { name: / Claimed vy Give back Done$/ })).toBeVisible();
  await press('Give back');
  expect(await screen.findByRole('row', { name: / Open Claim$/ })).toBeVisible();
  await press('Claim');
  await press('Done');
  expect(await screen.findByRole('row', { name: / Done vy$/ })).toBeVisible();
  expect(bodies).toEqual([
    ['claim', { version: 2 }],
    ['release', { version: 3 }],
    ['claim', { version: 4 }],
    ['done', { version: 5 }],
  ]);
});

test("an operator cannot finish another operator's task", async () => {
  open('/tasks', { 'GET /ops/v1/tasks': page({ ...task, state: 'claimed', claimedBy: 'lan' }) });
  expect(await screen.findByRole('button', { name: 'Give back' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Done' })).toBeNull();
});

test('a task that another operator claimed first shows why it was not claimed', async () => {
  const requests = open('/tasks', {
    'GET /ops/v1/tasks': page(task),
    'POST /ops/v1/tasks/61/claim': new Failing(409, 'task.claimed'),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Claim' }));
  expect(await screen.findByText('Another operator has claimed this task.')).toBeVisible();
  expect(sentTo(requests, 'POST /ops/v1/tasks/61/claim')).toHaveLength(1);
});

test.each([
  { state: 'waiting', text: 'The check is running.' },
  { state: 'ok', text: 'No invariant is broken.' },
  { state: 'broken', text: 'The ledger is broken.balances: account 7' },
  { state: 'failed', text: 'The check failed.' },
])('the last check of the ledger is $state: $text', async ({ state, text }) => {
  const Findings = [
    { Invariant: 'balances', Broken: 1, Samples: ['account 7'] },
    { Invariant: 'entries', Broken: 0, Samples: null },
  ];
  const report = { Accounts: 1, Transfers: 1, Entries: 2, Findings };
  const checks = [{ ...check, state, ...(state === 'broken' && { report }) }];
  open('/ledger', { 'GET /ops/v1/ledger': { checks } });
  expect(await screen.findByRole('alert')).toHaveTextContent(new RegExp(`^${text}$`));
  const start = screen.getByRole('button', { name: 'Check the ledger' });
  expect(start.hasAttribute('disabled')).toBe(state === 'waiting');
});
