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

test('PP-08 why it could not be confirmed is told, and what was ticked stays', async () => {
  await show({
    'POST /wps/game/launchGame': new Failing(400, 'register.age_required', { args: { age: '18' } }),
    'PUT /wps/member/age': new Failing(500, 'system.error'),
  });
  const box = await screen.findByRole('checkbox', { name: 'I am 18 or older.' });
  await userEvent.click(box);
  await userEvent.click(screen.getByRole('button', { name: 'Start playing' }));
  expect((await screen.findAllByRole('alert')).some((alert) => alert.textContent !== '')).toBe(
    true,
  );
  expect(box).toHaveProperty('checked', true);
  expect(frame()).toBeNull();
});
