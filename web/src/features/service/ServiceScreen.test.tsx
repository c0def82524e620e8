import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession } from '../../api/session.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { homeAnswers, settings, switches } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import ServiceScreen from './ServiceScreen.tsx';

const services = 'GET /wps/system/customerService';
const settingsCall = 'GET /wps/system/settings/consolidated';
const flags = 'GET /wps/system/whitelabel';
const affiliates = { csType: 'AFFILIATELINK', path: '', url: 'https://partners.example.test/' };

beforeEach(() => {
  clearSession();
  history.replaceState(null, '', '/m/service');
});

const contacts = async () => {
  await screen.findByRole('link', { name: 'Help center' });
  return screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
};

test('RT-30 service part: lists every contact with its link', async () => {
  const telegram = [{ resourceType: 'TELEGRAM', url: 'https://t.me/fairground' }];
  answerWith({
    ...homeAnswers,
    [services]: [
      { csType: 'CS', path: '', url: '/m/policy/contact' },
      { csType: 'ZALO', path: '', url: 'https://zalo.me/1' },
      { csType: 'CARRIERPIGEON', path: '', url: 'https://pigeon.example.test/' },
      affiliates,
    ],
    [settingsCall]: { ...settings, downloadLinks: telegram },
    [flags]: { ...switches, flags: { CBS3: true } },
  });
  renderScreen(<ServiceScreen />);
  await expect.poll(contacts).toEqual([
    ['Live chat', '/m/chat'],
    ['Customer service', '/m/policy/contact'],
    ['Zalo', 'https://zalo.me/1'],
    ['CARRIERPIGEON', 'https://pigeon.example.test/'],
    ['For affiliates', affiliates.url],
    ['Telegram', 'https://t.me/fairground'],
    ['Help center', '/m/help'],
  ]);
});

test('shows the chat only when its flag is on', async () => {
  answerWith({ ...homeAnswers, [services]: [affiliates] });
  renderScreen(<ServiceScreen />);
  expect((await contacts()).map(([name]) => name)).toEqual(['For affiliates', 'Help center']);
});

test('without contacts it links to the help centre', async () => {
  answerWith({ ...homeAnswers, [services]: [] });
  renderScreen(<ServiceScreen />);
  expect(await screen.findByText('Nobody is on duty')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Help center' }).getAttribute('href')).toBe('/m/help');
});

test.each([
  ['the server fails', new Failing(503, 'system.unavailable'), /System upgrading/],
  ['there is no network', undefined, /Network offline or unstable/],
])('ER-02 service part: shows an error while %s, and a tap retries', async (_, given, says) => {
  const answers: Record<string, unknown> = { ...homeAnswers, [services]: given };
  if (!given) delete answers[services];
  answerWith(answers);
  renderScreen(<ServiceScreen />);
  const retry = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
  expect(screen.getByText(says)).toBeVisible();
  answers[services] = [affiliates];
  await userEvent.click(retry);
  expect(await screen.findByRole('link', { name: 'For affiliates' })).toBeVisible();
  expect(screen.queryByText(/Load failed/)).toBeNull();
});
