import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { Failing, sentTo } from '../../lib/testing/answers.ts';
import { elsewhere, here, logIn, show } from './testing.tsx';

beforeEach(logIn);

test('sessions: the present one is marked, another is ended after a question', async () => {
  let list = [here, elsewhere];
  const { asked } = await show('', {
    'GET /wps/session/list': () => list.toReversed(),
    'DELETE /wps/session/2': () => {
      list = [here];
      return {};
    },
  });
  expect(await screen.findByText('This device')).toBeDefined();
  expect(screen.getByText('Installed app')).toBeDefined();
  expect(screen.getByText('203.0.*.*')).toBeDefined();
  expect(screen.getByText('Browser')).toBeDefined();
  expect(screen.getByText('Brazil')).toBeDefined();
  const rows = [...document.querySelectorAll('section li')].map((row) => row.textContent);
  expect(rows.findIndex((text) => text.includes('This device'))).toBe(0);
  await userEvent.click(screen.getByRole('button', { name: 'Log out' }));
  const question = await screen.findByRole('alertdialog', { name: 'Log out there?' });
  expect(sentTo(asked, 'DELETE /wps/session/2')).toEqual([]);
  await userEvent.click(within(question).getByRole('button', { name: 'Log out there' }));
  expect(await screen.findByText('You are logged in nowhere else.')).toBeDefined();
  expect(sentTo(asked, 'DELETE /wps/session/2')).toHaveLength(1);
});

test('sessions: nothing is said of a device or a country that is not known', async () => {
  await show('', {
    'GET /wps/session/list': [here, { ...elsewhere, device: 'TV-9', country: '' }],
  });
  expect(await screen.findByText('Unknown device')).toBeDefined();
  expect(screen.queryByText('TV-9')).toBeNull();
  expect(screen.queryByText('Brazil')).toBeNull();
});

test('sessions: all others end after a question that can be taken back; one that is over is no failure', async () => {
  const { asked } = await show('', {
    'DELETE /wps/session/2': new Failing(404, 'session.unknown'),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Log out everywhere else' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull();
  expect(sentTo(asked, 'DELETE /wps/session/others')).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Log out everywhere else' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Log out there' }));
  await expect.poll(() => sentTo(asked, 'DELETE /wps/session/others').length).toBe(1);
  expect(await screen.findByText('Logged out everywhere else')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Log out' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Log out there' }));
  await expect.poll(() => sentTo(asked, 'DELETE /wps/session/2').length).toBe(1);
  expect(screen.queryByText('This login is over already')).toBeNull();
});
