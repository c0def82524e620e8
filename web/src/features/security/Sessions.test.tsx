import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { Failing, sentTo } from '../../lib/testing/answers.ts';
import { otherDevice, thisDevice, logIn, show } from './testing.tsx';

beforeEach(logIn);

test('sessions: the current one is marked, another ends after a confirmation', async () => {
  let list = [thisDevice, otherDevice];
  const { requests } = await show('', {
    'GET /wps/session/list': () => list.toReversed(),
    'DELETE /wps/session/2': () => {
      list = [thisDevice];
      return {};
    },
  });
  expect(await screen.findByText('This device')).toBeVisible();
  expect(screen.getByText('Installed app')).toBeVisible();
  expect(screen.getByText('203.0.*.*')).toBeVisible();
  expect(screen.getByText('Browser')).toBeVisible();
  expect(screen.getByText('Brazil')).toBeVisible();
  const rows = [...document.querySelectorAll('section li')].map((row) => row.textContent);
  expect(rows.findIndex((text) => text.includes('This device'))).toBe(0);
  await userEvent.click(screen.getByRole('button', { name: 'Log out' }));
  const question = await screen.findByRole('alertdialog', { name: 'Log out there?' });
  expect(sentTo(requests, 'DELETE /wps/session/2')).toEqual([]);
  await userEvent.click(within(question).getByRole('button', { name: 'Log out there' }));
  expect(await screen.findByText('You are logged in nowhere else.')).toBeVisible();
  expect(sentTo(requests, 'DELETE /wps/session/2')).toHaveLength(1);
});

test('sessions: unknown devices and countries are not named', async () => {
  await show('', {
    'GET /wps/session/list': [thisDevice, { ...otherDevice, device: 'TV-9', country: '' }],
  });
  expect(await screen.findByText('Unknown device')).toBeVisible();
  expect(screen.queryByText('TV-9')).toBeNull();
  expect(screen.queryByText('Brazil')).toBeNull();
});

test('sessions: all others end after a confirmation; one that has already ended is not an error', async () => {
  const { requests } = await show('', {
    'DELETE /wps/session/2': new Failing(404, 'session.unknown'),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Log out everywhere else' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull();
  expect(sentTo(requests, 'DELETE /wps/session/others')).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Log out everywhere else' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Log out there' }));
  await expect.poll(() => sentTo(requests, 'DELETE /wps/session/others').length).toBe(1);
  expect(await screen.findByText('Logged out everywhere else')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Log out' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Log out there' }));
  await expect.poll(() => sentTo(requests, 'DELETE /wps/session/2').length).toBe(1);
  expect(screen.queryByText('This login is over already')).toBeNull();
});
