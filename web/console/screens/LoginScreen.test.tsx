import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

import { answerWith, Failing } from '../../src/lib/testing/answers.ts';
import { Session } from '../App.tsx';
import { createQueryClient } from '../server/queries.ts';
import { renderConsole } from '../testing/render.tsx';

afterEach(() => vi.unstubAllGlobals());

const operator = { name: 'Vy', roles: ['owner'], permissions: [] };
const loggedOut = new Failing(401, 'ops.session');

async function logIn(): Promise<void> {
  await userEvent.type(await screen.findByLabelText('Name'), ' vy ');
  await userEvent.type(screen.getByLabelText('Password'), 'secret words');
  await userEvent.click(screen.getByRole('button', { name: 'Log in' }));
}

test('the login sends the password, then the code, and opens the console', async () => {
  const bodies: unknown[] = [];
  const recordBody = (value: unknown) => async (request: Request) => {
    bodies.push(await request.json());
    return value;
  };
  answerWith({
    'GET /ops/v1/session': loggedOut,
    'POST /ops/v1/session': recordBody({ step: 'code' }),
    'POST /ops/v1/session/code': recordBody({ step: 'done', operator }),
  });
  renderConsole(<Session />);
  await logIn();
  await userEvent.type(await screen.findByLabelText('Code'), '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByRole('button', { name: 'Account of Vy' })).toBeVisible();
  expect(bodies).toEqual([{ name: 'vy', password: 'secret words' }, { code: '123456' }]);
});

test('the first login shows the key and, once, the recovery codes', async () => {
  answerWith({
    'GET /ops/v1/session': loggedOut,
    'POST /ops/v1/session': { step: 'enrol', secret: 'ABCD2345', otpauth: 'otpauth://totp/x' },
    'POST /ops/v1/session/code': { step: 'done', operator, recoveryCodes: ['r-1', 'r-2'] },
  });
  renderConsole(<Session />);
  await logIn();
  expect(await screen.findByText('ABCD2345')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Open the app' })).toHaveAttribute(
    'href',
    'otpauth://totp/x',
  );
  await userEvent.type(screen.getByLabelText('Code'), '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('r-2')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'I have saved them' }));
  expect(await screen.findByRole('button', { name: 'Account of Vy' })).toBeVisible();
});

test('an operator with a password of another person must replace it before the console opens', async () => {
  const bodies: unknown[] = [];
  answerWith({
    'GET /ops/v1/session': { operator: { ...operator, mustChangePassword: true } },
    'POST /ops/v1/session/password': async (request: Request) => {
      bodies.push(await request.json());
      return { step: 'done', operator: { ...operator, mustChangePassword: false } };
    },
  });
  renderConsole(<Session />);
  await userEvent.type(await screen.findByLabelText('Current password'), 'given words');
  expect(screen.queryByRole('button', { name: 'Account of Vy' })).toBeNull();
  await userEvent.type(screen.getByLabelText('New password'), 'short');
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
  expect(screen.getByText('Enter at least 12 characters.')).toBeVisible();
  await userEvent.type(screen.getByLabelText('New password'), ' and longer');
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
  expect(await screen.findByRole('button', { name: 'Account of Vy' })).toBeVisible();
  expect(bodies).toEqual([{ oldPassword: 'given words', newPassword: 'short and longer' }]);
});

test.each([
  ['wrong credentials', new Failing(401, 'ops.credentials'), 'the password or the code is wrong'],
  ['too many attempts', new Failing(429, 'rate.limited'), 'Too many attempts'],
  ['another error', new Failing(500, 'system.error'), 'The server reported an error: system.error'],
])('%s: the error is shown and the form can be sent again', async (_, failure, text) => {
  answerWith({ 'GET /ops/v1/session': loggedOut, 'POST /ops/v1/session': failure });
  renderConsole(<Session />);
  await logIn();
  expect(await screen.findByRole('alert')).toHaveTextContent(text);
  expect(screen.getByLabelText('Name')).toHaveValue(' vy ');
  expect(screen.getByRole('button', { name: 'Log in' })).toBeEnabled();
});

test('an empty form is not sent', async () => {
  const requests = answerWith({ 'GET /ops/v1/session': loggedOut });
  renderConsole(<Session />);
  await userEvent.click(await screen.findByRole('button', { name: 'Log in' }));
  expect(screen.getByText('Enter your name.')).toBeVisible();
  expect(screen.getByText('Enter your password.')).toBeVisible();
  expect(requests).toHaveLength(1);
});

test('an unreachable server shows an error instead of the login', async () => {
  answerWith({});
  renderConsole(<Session />);
  expect(await screen.findByRole('alert')).toHaveTextContent('The server did not answer.');
  answerWith({ 'GET /ops/v1/session': { operator } });
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Account of Vy' })).toBeVisible();
});

/** Opens a new reply, types its title and lets the session end. */
async function typeUntilSessionEnds() {
  const writer = { ...operator, permissions: ['chat.answer'] };
  const server = { current: { operator: writer } as unknown, next: writer };
  const requests = answerWith({
    'GET /ops/v1/session': () => server.current,
    'POST /ops/v1/session': { step: 'code' },
    'POST /ops/v1/session/code': () => {
      server.current = { operator: server.next };
      return { step: 'done', operator: server.next };
    },
  });
  const queryClient = createQueryClient();
  renderConsole(<Session />, '/replies/new', queryClient);
  await userEvent.type(await screen.findByLabelText('Title'), 'Half a text');
  queryClient.setQueryData(['object', '/ops/v1/secret'], 'of Vy');
  server.current = loggedOut;
  await act(() => queryClient.invalidateQueries({ queryKey: ['session'] }));
  return { server, writer, requests, queryClient };
}

async function logInAgain() {
  await logIn();
  await userEvent.type(await screen.findByLabelText('Code'), '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
}

test('after the session has ended, the same operator finds what they typed', async () => {
  await typeUntilSessionEnds();
  expect(await screen.findByLabelText('Name')).toBeVisible();
  expect(screen.getByLabelText('Title')).not.toBeVisible();
  await logInAgain();
  await waitFor(() => expect(screen.getByLabelText('Title')).toBeVisible());
  expect(screen.getByLabelText('Title')).toHaveValue('Half a text');
  expect(screen.queryByLabelText('Name')).toBeNull();
});

test('the shortcuts of the hidden console do nothing', async () => {
  await typeUntilSessionEnds();
  await screen.findByLabelText('Name');
  await userEvent.click(document.body);
  await userEvent.keyboard('?');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('another operator who logs in finds neither drafts nor data of the one before', async () => {
  const { server, writer, queryClient } = await typeUntilSessionEnds();
  server.next = { ...writer, name: 'Lan' };
  await logInAgain();
  expect(await screen.findByRole('button', { name: 'Account of Lan' })).toBeVisible();
  expect(screen.getByLabelText('Title')).toHaveValue('');
  expect(queryClient.getQueryData(['object', '/ops/v1/secret'])).toBeUndefined();
});

test('another operator of a second tab finds no data of the one before', async () => {
  const { server, writer, queryClient } = await typeUntilSessionEnds();
  server.current = { operator: { ...writer, name: 'Lan' } };
  await act(() => queryClient.invalidateQueries({ queryKey: ['session'] }));
  expect(await screen.findByRole('button', { name: 'Account of Lan' })).toBeVisible();
  expect(screen.getByLabelText('Title')).toHaveValue('');
  expect(queryClient.getQueryData(['object', '/ops/v1/secret'])).toBeUndefined();
});

test('a save after the session has ended shows the login, and the form keeps its values', async () => {
  const writer = { ...operator, permissions: ['chat.answer'] };
  let isOpen = true;
  answerWith({
    'GET /ops/v1/session': () => (isOpen ? { operator: writer } : loggedOut),
    'POST /ops/v1/replies': () => {
      isOpen = false;
      return loggedOut;
    },
  });
  renderConsole(<Session />, '/replies/new');
  await userEvent.type(await screen.findByLabelText('Title'), 'Half a text');
  await userEvent.type(screen.getByLabelText('English'), 'Hello');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByLabelText('Name')).toBeVisible();
  expect(screen.getByLabelText('English')).toHaveValue('Hello');
});
