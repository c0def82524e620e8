import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';

import { clearTicket, storedTicket } from '../../api/external-login.ts';
import { currentSession } from '../../api/session.ts';
import { navigate } from '../../lib/router.tsx';
import { Failing } from '../../lib/testing/answers.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { begin, grant, loginCall, logins, site } from './testing.ts';
import { useTicket } from './useTicket.ts';

beforeEach(() => {
  begin();
  clearTicket();
});

function Arrival() {
  const { arriving, failure } = useTicket();
  return <p>{arriving ? 'arriving' : `there ${failure}`}</p>;
}

/** Somebody comes to the login with an address that another service led to. */
function arrive(search: string) {
  navigate(`/m/login${search}`);
  return renderScreen(<Arrival />);
}

test('LG-04 a ticket leaves the address at once, with the way back kept, and logs in', async () => {
  let answer: (grant: unknown) => void = () => {};
  const asked = site({ [loginCall]: () => new Promise((resolve) => (answer = resolve)) });
  arrive('?ticket=ticket-1&return=%2Fm%2Flobby');
  expect(location.pathname + location.search).toBe('/m/login?return=%2Fm%2Flobby');
  expect(screen.getByText('arriving')).toBeDefined();
  await expect.poll(() => logins(asked).length).toBe(1);
  expect(await logins(asked)[0]?.json()).toEqual({ type: 'outside', ticket: 'ticket-1' });
  answer(grant);
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(await screen.findByText('there')).toBeDefined();
  // However often it is drawn, a ticket is handed in once.
  expect(logins(asked)).toHaveLength(1);
});

test('RO-06 app side: a ticket that leads to the agents’ area is one of theirs', async () => {
  const asked = site({ [loginCall]: new Failing(403, 'login.not_agent') });
  arrive('?ticket=ticket-1&return=%2Fm%2Fmember%2Fagent');
  expect(await screen.findByText('there Non-agents cannot log in')).toBeDefined();
  expect(await logins(asked)[0]?.json()).toMatchObject({ area: 'agent' });
});

test('RG-03 whoever is no member yet goes on to registering, with the next ticket and the way back', async () => {
  site({ [loginCall]: new Failing(422, 'outside.register', { args: { ticket: 'ticket-2' } }) });
  arrive('?ticket=ticket-1&return=%2Fm%2Flobby');
  await expect.poll(() => location.pathname).toBe('/m/register');
  expect(location.search).toBe('?return=%2Fm%2Flobby');
  expect(storedTicket()).toBe('ticket-2');
  expect(currentSession()).toBeNull();
});

test('ER-04 a ticket that is refused is told, and so is that nothing came of it', async () => {
  site({ [loginCall]: new Failing(422, 'outside.failed') });
  const { unmount } = arrive('?ticket=stale');
  expect(await screen.findByText(/That way of logging in did not work/)).toBeDefined();
  expect(location.pathname + location.search).toBe('/m/login');
  unmount();
  const asked = site({});
  arrive('?outside=failed');
  expect(screen.getByText(/That way of logging in did not work/)).toBeDefined();
  expect(location.search).toBe('');
  expect(logins(asked)).toHaveLength(0);
});

test('a ticket that could not be handed in says why; one that registers without a ticket does not lead on', async () => {
  site({});
  const { unmount } = arrive('?ticket=ticket-1');
  expect(await screen.findByText(/there .*network/i)).toBeDefined();
  unmount();
  site({ [loginCall]: new Failing(422, 'outside.register') });
  arrive('?ticket=ticket-1');
  expect(await screen.findByText(/there ./)).toBeDefined();
  expect(location.pathname).toBe('/m/login');
  expect(storedTicket()).toBeNull();
});

test('without either, nothing happens', () => {
  const asked = site({});
  arrive('?return=%2Fm%2Flobby');
  expect(screen.getByText('there')).toBeDefined();
  expect(location.search).toBe('?return=%2Fm%2Flobby');
  expect(logins(asked)).toHaveLength(0);
});
