import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { Failing, sentTo } from '../../lib/testing/answers.ts';
import { frame } from '../../lib/testing/game.ts';
import { comeIn, launched, show } from './testing.tsx';

beforeEach(comeIn);

test('PP-08 a member whom nobody asked confirms the age by a box that is empty, and the game starts', async () => {
  let confirmed = false;
  const { asked } = await show({
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
  expect(screen.getByText('Please confirm that you are 21 or older')).toBeDefined();
  expect(box).toHaveProperty('checked', false);
  await userEvent.click(start);
  expect(sentTo(asked, 'PUT /wps/member/age')).toHaveLength(0);
  await userEvent.click(box);
  await userEvent.click(start);
  await expect.poll(frame).not.toBeNull();
  expect(await sentTo(asked, 'PUT /wps/member/age')[0]!.json()).toEqual({ ageConfirmed: true });
  expect(sentTo(asked, 'POST /wps/game/launchGame')).toHaveLength(2);
});

test('PP-08 why it could not be confirmed is told, what was ticked stays, and the next try goes through', async () => {
  let answer: unknown = new Failing(500, 'system.error');
  let confirmed = false;
  const { asked } = await show({
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
  // Nothing was confirmed, so the game is not asked for again.
  expect(sentTo(asked, 'PUT /wps/member/age')).toHaveLength(1);
  expect(sentTo(asked, 'POST /wps/game/launchGame')).toHaveLength(1);
  answer = {};
  confirmed = true;
  await userEvent.click(start);
  await expect.poll(frame).not.toBeNull();
  expect(sentTo(asked, 'PUT /wps/member/age')).toHaveLength(2);
});
