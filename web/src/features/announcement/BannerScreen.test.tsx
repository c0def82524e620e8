import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession } from '../../api/session.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { announcement, homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import BannerScreen from './BannerScreen.tsx';

const one = 'GET /wps/relay/MCSFE_getAnnouncement';

beforeEach(() => {
  clearSession();
  history.replaceState(null, '', '/m/banner/7');
});

test('RT-27 banner part: shows title, text and link', async () => {
  answerWith({
    ...homeAnswers,
    [one]: announcement(7, { type: 'B', url: '/m/activity', cta: 'Join in' }),
  });
  renderScreen(<BannerScreen />);
  expect(await screen.findByRole('heading', { name: 'News 7' })).toBeVisible();
  const words = await screen.findByText('Text 7');
  expect(words.closest('[dir=auto]'), 'automatic text direction').not.toBeNull();
  expect(screen.getByRole('link', { name: 'Join in' }).getAttribute('href')).toBe('/m/activity');
});

test('ER-02 banner part: a failed load shows an error, and a tap retries', async () => {
  const answers: Record<string, unknown> = { ...homeAnswers };
  delete answers[one];
  answerWith(answers);
  renderScreen(<BannerScreen />);
  const retry = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
  expect(screen.getByText(/Network offline or unstable/)).toBeVisible();
  answers[one] = announcement(7);
  await userEvent.click(retry);
  expect(await screen.findByRole('heading', { name: 'News 7' })).toBeVisible();
});

test.each([
  ['7', new Failing(404, 'content.unknown')],
  ['seven', undefined],
])('an unknown announcement %s shows the empty state', async (id, answer) => {
  history.replaceState(null, '', `/m/banner/${id}`);
  answerWith({ ...homeAnswers, ...(answer && { [one]: answer }) });
  renderScreen(<BannerScreen />);
  expect(await screen.findByText('No longer announced')).toBeVisible();
});
