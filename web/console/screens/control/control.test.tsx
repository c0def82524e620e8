import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';

import { answerWith, sentTo } from '../../../src/lib/testing/answers.ts';
import { renderScreen } from '../../testing/render.tsx';
import { ApprovalScreen } from './ApprovalsScreen.tsx';
import { AuditScreen } from './AuditScreen.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { SettingScreen } from './SettingsScreen.tsx';

afterEach(() => vi.unstubAllGlobals());

const approval = {
  id: '9',
  state: 'waiting',
  permission: 'operator.edit',
  action: 'operator.roles',
  object: 'operator/lan',
  payload: { roles: ['<script>'] },
  digest: 'ab12',
  requestedAt: 1,
};

const openApproval = (requestedBy: string) => {
  answerWith({ 'GET /ops/v1/approvals/9': { ...approval, requestedBy } });
  renderScreen(<Route path="/approvals/:id" component={ApprovalScreen} />, {
    permissions: ['operator.edit'],
    address: '/approvals/9',
  });
};

test('an approval shows the digest of the change, and another person may decide it', async () => {
  openApproval('lan');
  expect(await screen.findByText('ab12')).toBeVisible();
  expect(screen.getByText(/<script>/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Approve' })).toBeVisible();
});

test('the person who requested a change cannot decide it', async () => {
  openApproval('vy');
  expect(await screen.findByText(/Another operator must decide it/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
});

test('a setting is saved with its version after its change was shown', async () => {
  let body: unknown;
  const setting = {
    id: 'site.theme',
    text: 'theme',
    form: 'choice',
    choices: ['dark', 'light'],
    value: 'dark',
    default: 'dark',
    status: 'default',
    version: 3,
  };
  answerWith({
    'GET /ops/v1/settings/site.theme': setting,
    'GET /ops/v1/settings/site.theme/history': {
      list: [{ version: 3, before: 'sepia', after: 'dark', at: 1, operator: 'vy' }],
    },
    'POST /ops/v1/settings/site.theme/undo': setting,
    'POST /ops/v1/settings/site.theme/set': async (request: Request) => {
      body = await request.json();
      return setting;
    },
  });
  renderScreen(<Route path="/settings/:name" component={SettingScreen} />, {
    permissions: ['setting.edit'],
    address: '/settings/site.theme',
  });
  expect(await screen.findByRole('button', { name: 'Save' })).toBeDisabled();
  await userEvent.click(screen.getByRole('combobox', { name: 'Value' }));
  await userEvent.click(await screen.findByRole('option', { name: 'light' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('cell', { name: '"light"' })).toBeVisible();
  await userEvent.click(screen.getAllByRole('button', { name: 'Save' }).at(-1)!);
  expect(await screen.findByText('Done: Save')).toBeVisible();
  expect(body).toEqual({ version: 3, value: 'light' });
  await userEvent.click(screen.getByRole('button', { name: 'Undo the last change' }));
  const undo = within(await screen.findByRole('dialog', { name: 'Undo the last change' }));
  expect(await undo.findByRole('cell', { name: '"dark"' })).toBeVisible();
  expect(undo.getByRole('cell', { name: '"sepia"' })).toBeVisible();
});

test('the chain check continues until all rows are checked and names a broken row', async () => {
  const requests = answerWith({
    'GET /ops/v1/audit': { list: [], next: '' },
    'GET /ops/v1/audit/verify': (request: Request) =>
      new URL(request.url).searchParams.get('after') === '0'
        ? { rows: 1000, head: 'ff', partly: true }
        : { rows: 1500, head: 'ff', broken: 1501, why: 'it is missing' },
  });
  renderScreen(<AuditScreen />, { permissions: ['audit.read'], address: '/audit' });
  await userEvent.click(screen.getByRole('button', { name: 'Check the chain' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Row 1501 is broken');
  expect(sentTo(requests, '/ops/v1/audit/verify')).toHaveLength(2);
});

test('the log can be filtered by failed changes', async () => {
  answerWith({ 'GET /ops/v1/audit': { list: [], next: '' } });
  renderScreen(<AuditScreen />, { permissions: ['audit.read'] });
  await userEvent.click(await screen.findByRole('combobox', { name: 'Decision' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Failed', hidden: true }));
  expect(location.search).toBe('?state=failed');
});

test('the last first step links to the deposit page of the app and to the deposits', async () => {
  answerWith({
    'GET /ops/v1/first-steps': {
      done: false,
      siteName: 'Demo',
      currency: 'VND',
      version: 1,
      steps: [{ name: 'deposit', state: 'open' }],
    },
  });
  renderScreen(<FirstSteps />, { permissions: ['setting.edit'] });
  const app = await screen.findByRole('link', { name: "Open the app's deposit page" });
  expect(app).toHaveAttribute('href', '/m/voucherCenter');
  expect(app).toHaveAttribute('target', '_blank');
  expect(screen.getByRole('link', { name: 'Deposits' })).toHaveAttribute(
    'href',
    '/console/deposits',
  );
});
