import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';

import { answerWith } from '../../../src/lib/testing/answers.ts';
import { renderScreen } from '../../testing/render.tsx';
import { MemberScreen } from './MemberScreen.tsx';
import { MembersScreen } from './MembersScreen.tsx';

afterEach(() => vi.unstubAllGlobals());

const row = (id: string, username: string) => ({
  id,
  username,
  nickname: '<script>alert(1)</script>',
  realName: '',
  mobile: '***678',
  email: '',
  type: 0,
  status: 'active',
  currency: 'VND',
  createdAt: 1,
  version: 3,
});

test('changing several members first shows their number and names', async () => {
  let body: unknown;
  answerWith({
    'GET /ops/v1/members': { list: [row('7', 'lan2024'), row('8', 'minh99')], next: '' },
    'POST /ops/v1/members/disable': async (request: Request) => {
      body = await request.json();
      return { changed: 2 };
    },
  });
  renderScreen(<MembersScreen />, { permissions: ['member.read', 'member.edit'] });
  await userEvent.click(await screen.findByLabelText('Select all rows'));
  await userEvent.click(screen.getByRole('button', { name: 'Disable' }));
  expect(await screen.findByText('This changes 2 members:')).toBeVisible();
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'lan2024',
    'minh99',
  ]);
  expect(body).toBeUndefined();
  await userEvent.click(screen.getAllByRole('button', { name: 'Disable' }).at(-1)!);
  await vi.waitFor(() => expect(body).toEqual({ ids: ['7', '8'] }));
});

const member = {
  ...row('7', 'lan2024'),
  language: 'vi',
  vipLabel: '',
  tags: [],
  mustChangePassword: false,
};

test('a new password is shown, and a script in a name is shown as text', async () => {
  answerWith({
    'GET /ops/v1/members/7': member,
    'POST /ops/v1/members/7/reset-password': { password: 'once7a' },
  });
  renderScreen(<Route path="/members/:id" component={MemberScreen} />, {
    permissions: ['member.read', 'member.edit'],
    address: '/members/7',
  });
  expect(await screen.findByText('<script>alert(1)</script>')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Reset password' }));
  await userEvent.click((await screen.findAllByRole('button', { name: 'Reset password' })).at(-1)!);
  expect(await screen.findByText('once7a')).toBeVisible();
});

test('an operator without member.edit sees no actions', async () => {
  answerWith({ 'GET /ops/v1/members/7': member });
  renderScreen(<Route path="/members/:id" component={MemberScreen} />, {
    permissions: ['member.read'],
    address: '/members/7',
  });
  expect(await screen.findByText('***678')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Disable' })).toBeNull();
});

const openMember = (responses: Record<string, unknown>) => {
  answerWith({ 'GET /ops/v1/members/7': member, ...responses });
  renderScreen(<Route path="/members/:id" component={MemberScreen} />, {
    permissions: ['member.read', 'member.edit'],
    address: '/members/7',
  });
};

test('all notes about a member can be read', async () => {
  const note = (id: string) => ({
    id,
    kind: 'note',
    operator: 'vy',
    text: `note ${id}`,
    createdAt: 1,
  });
  openMember({
    'GET /ops/v1/members/7/notes': ({ url }: Request) =>
      new URL(url).searchParams.get('cursor') === '5'
        ? { list: [note('4')], next: '' }
        : { list: [note('6'), note('5')], next: '5' },
  });
  await userEvent.click(await screen.findByRole('tab', { name: 'Notes' }));
  await userEvent.click(await screen.findByRole('button', { name: 'More' }));
  expect(await screen.findByText('note 4')).toBeVisible();
  expect(screen.getByText('note 6')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'More' })).toBeNull();
});

test('the payment password of a member is reset', async () => {
  let body: unknown;
  openMember({
    'POST /ops/v1/members/7/reset-payment-password': async (request: Request) => {
      body = await request.json();
      return {};
    },
  });
  const name = 'Reset payment password';
  await userEvent.click(await screen.findByRole('button', { name }));
  await userEvent.click((await screen.findAllByRole('button', { name })).at(-1)!);
  expect(await screen.findByText(`Done: ${name}`)).toBeVisible();
  expect(body).toEqual({ version: 3 });
});

test('codes of the API are shown as labels', async () => {
  openMember({
    'GET /ops/v1/members/7': { ...member, status: 'held' },
    'GET /ops/v1/members/7/wallets': [{ kind: 'held', currency: 'VND', balance: 1 }],
    'GET /ops/v1/members/7/limits': {
      currency: 'VND',
      checkMinutes: 0,
      limits: [{ kind: 'loss', period: 'week', amount: 1, used: 0, pending: false }],
    },
  });
  expect(await screen.findByText('Held for review')).toBeVisible();
  await userEvent.click(screen.getByRole('tab', { name: 'Wallets' }));
  expect(await screen.findByRole('cell', { name: 'Reserved' })).toBeVisible();
  await userEvent.click(screen.getByRole('tab', { name: 'Limits' }));
  expect(await screen.findByRole('cell', { name: 'Losses' })).toBeVisible();
  expect(screen.getByRole('cell', { name: 'Week' })).toBeVisible();
});
