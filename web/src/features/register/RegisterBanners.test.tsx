import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import RegisterBanners from './RegisterBanners.tsx';

const call = 'GET /wps/relay/MCSFE_getListAnnouncements';
const welcome = {
  id: '7',
  type: 'B',
  groupName: 'm_reg',
  title: 'Welcome gift',
  image: '/m/art/banners/trial.webp',
  url: '/m/trail',
};

function open(announced: unknown) {
  const answers = { ...homeAnswers, [call]: announced };
  answerWith(answers);
  const { container } = renderScreen(<RegisterBanners />);
  return { answers, container };
}

test('RG-10 failing part: a failed load of the banners shows an error, and a tap retries', async () => {
  const { answers } = open(new Failing(500, 'system.error'));
  const row = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
  answers[call] = [welcome];
  await userEvent.click(row);
  expect(await screen.findByText('Welcome gift')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('RG-10 empty part: no banners leave no gap', async () => {
  let onRequest = () => {};
  const done = new Promise<void>((resolve) => (onRequest = resolve));
  const { container } = open(() => {
    onRequest();
    return [];
  });
  await done;
  expect(container.childElementCount).toBe(0);
});
