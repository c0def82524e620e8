import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

import { answerWith, Failing, sentTo } from '../../src/lib/testing/answers.ts';
import { renderScreen } from '../testing/render.tsx';
import { ActionButton } from './ActionButton.tsx';

afterEach(() => vi.unstubAllGlobals());

const path = '/ops/v1/members/7/disable';

const button = (
  <ActionButton
    label="Disable"
    permission="member.edit"
    path={path}
    body={{ version: 3 }}
    reason="required"
    change={[{ label: 'Status', before: 'active', after: 'disabled' }]}
  />
);

async function disable(reason: string): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: 'Disable' }));
  expect(await screen.findByRole('cell', { name: 'disabled' })).toBeVisible();
  if (reason) await userEvent.type(screen.getByLabelText(/Reason/), reason);
  await userEvent.click(screen.getAllByRole('button', { name: 'Disable' }).at(-1)!);
}

test('an action shows its change, then sends version and reason', async () => {
  let body: unknown;
  answerWith({
    [`POST ${path}`]: async (request: Request) => {
      body = await request.json();
      return {};
    },
  });
  renderScreen(button, { permissions: ['member.edit'] });
  await disable('asked by phone');
  const notice = await screen.findByRole('alert');
  expect(notice).toHaveTextContent('Done: Disable');
  expect(within(notice).getByRole('button', { name: 'Close' })).toBeVisible();
  expect(body).toEqual({ version: 3, reason: 'asked by phone' });
});

test('an action in an editor does not submit the editor', async () => {
  answerWith({ [`POST ${path}`]: {} });
  const save = vi.fn();
  renderScreen(<form onSubmit={save}>{button}</form>, { permissions: ['member.edit'] });
  await disable('asked by phone');
  expect(await screen.findByText('Done: Disable')).toBeVisible();
  expect(save).not.toHaveBeenCalled();
});

test('an action without its required reason is not sent', async () => {
  const requests = answerWith({ [`POST ${path}`]: {} });
  renderScreen(button, { permissions: ['member.edit'] });
  await disable('');
  expect(await screen.findByText('Enter a reason.')).toBeVisible();
  expect(requests).toHaveLength(0);
});

test('an action without its permission is hidden', () => {
  renderScreen(button, { permissions: ['member.read'] });
  expect(screen.queryByRole('button', { name: 'Disable' })).toBeNull();
});

test('a dangerous action asks for a code, then is sent again', async () => {
  let isConfirmed = false;
  const requests = answerWith({
    [`POST ${path}`]: () => (isConfirmed ? {} : new Failing(403, 'ops.confirm')),
    'POST /ops/v1/session/confirm': async (request: Request) => {
      const { code } = (await request.json()) as { code: string };
      isConfirmed = code === '123456';
      return isConfirmed ? { confirmedUntil: 1 } : new Failing(422, 'ops.code');
    },
  });
  renderScreen(button, { permissions: ['member.edit'] });
  await disable('fraud');
  await userEvent.type(await screen.findByLabelText('Code'), '000000');
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The code is wrong');
  await userEvent.clear(screen.getByLabelText('Code'));
  await userEvent.type(screen.getByLabelText('Code'), '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('Done: Disable')).toBeVisible();
  expect(sentTo(requests, path)).toHaveLength(2);
});

test('cancelling the code keeps the dialog and the typed reason', async () => {
  answerWith({ [`POST ${path}`]: new Failing(403, 'ops.confirm') });
  renderScreen(button, { permissions: ['member.edit'] });
  await disable('fraud');
  await screen.findByLabelText('Code');
  await userEvent.click(screen.getAllByRole('button', { name: 'Cancel' }).at(-1)!);
  expect(await screen.findByRole('alert')).toHaveTextContent('Confirm this with a code first.');
  expect(screen.getByLabelText(/Reason/)).toHaveValue('fraud');
});

test('an action that needs a second person links to its approval', async () => {
  answerWith({ [`POST ${path}`]: { approval: { id: '9', state: 'waiting' } } });
  renderScreen(button, { permissions: ['member.edit'] });
  await disable('fraud');
  expect(await screen.findByRole('status')).toHaveTextContent('Waits for a second person');
  expect(screen.getByRole('link', { name: 'Open the approval' })).toHaveAttribute(
    'href',
    '/console/approvals/9',
  );
});
