import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';

import { clearTicket, storedTicket } from '../../api/external-login.ts';
import { currentSession } from '../../api/session.ts';
import { navigate } from '../../lib/router.tsx';
import { Failing } from '../../lib/testing/answers.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { resetLogin, grant, loginCall, logins, withAnswers } from './testing.ts';
import { useTicket } from './useTicket.ts';

beforeEach(() => {
  resetLogin();
  clearTicket();
});

function Arrival() {
  const { arriving, failure } = useTicket();
  return <p>{arriving ? 'arriving' : `there ${failure}`}</p>;
}

/** Opens the login with the query that another service added. */
function arrive(search: string) {
  navigate(`/m/login${search}`);
  return renderScreen(<Arrival />);
}

test('LG-04 a ticket leaves the URL at once, keeps the return path, and logs in', async () => {
  let answer: (grant: unknown) => void = () => {};
  const requests = withAnswers({ [loginCall]: () => new Promise((resolve) => (answer = resolve)) });
  arrive('?ticket=ticket-1&return=%2Fm%2Flobby');
  expect(location.pathname + location.search).toBe('/m/login?return=%2Fm%2Flobby');
  expect(screen.getByText('arriving')).toBeVisible();
  await expect.poll(() => logins(requests).length).toBe(1);
  expect(await logins(requests)[0]?.json()).toEqual({ type: 'outside', ticket: 'ticket-1' });
  answer(grant);
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(await screen.findByText('there')).toBeVisible();
  // Several renders redeem the ticket once.
  expect(logins(requests)).toHaveLength(1);
});

test('RO-06 app part: a ticket with a target in the agent area logs in to that area', async () => {
  const requests = withAnswers({ [loginCall]: new Failing(403, 'login.not_agent') });
  arrive('?ticket=ticket-1&return=%2Fm%2Fmember%2Fagent');
  expect(await screen.findByText('there Non-agents cannot log in')).toBeVisible();
  expect(await logins(requests)[0]?.json()).toMatchObject({ area: 'agent' });
});

test('RG-03 a new member goes on to the registration, with the next ticket and the return path', async () => {
  withAnswers({
    [loginCall]: new Failing(422, 'outside.register', { args: { ticket: 'ticket-2' } }),
  });
  arrive('?ticket=ticket-1&return=%2Fm%2Flobby');
  await expect.poll(() => location.pathname).toBe('/m/register');
  expect(location.search).toBe('?return=%2Fm%2Flobby');
  expect(storedTicket()).toBe('ticket-2');
  expect(currentSession()).toBeNull();
});

test('ER-04 a refused ticket and a failed external login show an error', async () => {
  withAnswers({ [loginCall]: new Failing(422, 'outside.failed') });
  const { unmount } = arrive('?ticket=stale');
  expect(await screen.findByText(/That way of logging in did not work/)).toBeVisible();
  expect(location.pathname + location.search).toBe('/m/login');
  unmount();
  const requests = withAnswers({});
  arrive('?outside=failed');
  expect(screen.getByText(/That way of logging in did not work/)).toBeVisible();
  expect(location.search).toBe('');
  expect(logins(requests)).toHaveLength(0);
});

test('a network error is shown; a registration without a ticket stays on the login', async () => {
  withAnswers({});
  const { unmount } = arrive('?ticket=ticket-1');
  expect(await screen.findByText(/there .*network/i)).toBeVisible();
  unmount();
  withAnswers({ [loginCall]: new Failing(422, 'outside.register') });
  arrive('?ticket=ticket-1');
  expect(await screen.findByText(/there ./)).toBeVisible();
  expect(location.pathname).toBe('/m/login');
  expect(storedTicket()).toBeNull();
});

test('nothing happens without a ticket or a failure', () => {
  const requests = withAnswers({});
  arrive('?return=%2Fm%2Flobby');
  expect(screen.getByText('there')).toBeVisible();
  expect(location.search).toBe('?return=%2Fm%2Flobby');
  expect(logins(requests)).toHaveLength(0);
});
