import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { Failing, sentTo } from '../../lib/testing/answers.ts';
import { frame } from '../../lib/testing/game.ts';
import { logInMember, launched, showGame } from './testing.tsx';

beforeEach(logInMember);

test('PP-08 a member confirms the age with an unchecked box, and the game starts', async () => {
  let confirmed = false;
  const { requests } = await showGame({
    'POST /wps/game/launchGame': () =>
      confirmed
        ? launched
        : new Failing(400, 'register.age_required', { field: 'ageConfirmed', args: { age: '21' } }),
    'PUT /wps/member/age': () => {
      confirmed = true;
      return {};
    },
  });
  const box = await screen.findByRole('checkbox', { name: 'I am 21 or older.' });
  const start = screen.getByRole('button', { name: 'Start playing' });
  expect(screen.getByText('Please confirm that you are 21 or older')).toBeVisible();
  expect(box).toHaveProperty('checked', false);
  await userEvent.click(start);
  expect(sentTo(requests, 'PUT /wps/member/age')).toHaveLength(0);
  await userEvent.click(box);
  await userEvent.click(start);
  await expect.poll(frame).not.toBeNull();
  expect(await sentTo(requests, 'PUT /wps/member/age')[0]!.json()).toEqual({ ageConfirmed: true });
  expect(sentTo(requests, 'POST /wps/game/launchGame')).toHaveLength(2);
});

test('PP-08 a failed confirmation shows the reason, keeps the box checked and can be retried', async () => {
  let answer: unknown = new Failing(500, 'system.error');
  let confirmed = false;
  const { requests } = await showGame({
    'POST /wps/game/launchGame': () =>
      confirmed ? launched : new Failing(400, 'register.age_required', { args: { age: '18' } }),
    'PUT /wps/member/age': () => answer,
  });
  const box = await screen.findByRole('checkbox', { name: 'I am 18 or older.' });
  await userEvent.click(box);
  const start = screen.getByRole('button', { name: 'Start playing' });
  await userEvent.click(start);
  const alert = (await screen.findByText(/System error/)).closest('[role="alert"]');
  expect(alert).not.toBeNull();
  expect(box).toHaveProperty('checked', true);
  expect(start).toHaveProperty('disabled', false);
  expect(frame()).toBeNull();
  // Without a confirmation the game is not launched again.
  expect(sentTo(requests, 'PUT /wps/member/age')).toHaveLength(1);
  expect(sentTo(requests, 'POST /wps/game/launchGame')).toHaveLength(1);
  answer = {};
  confirmed = true;
  await userEvent.click(start);
  await expect.poll(frame).not.toBeNull();
  expect(sentTo(requests, 'PUT /wps/member/age')).toHaveLength(2);
});
