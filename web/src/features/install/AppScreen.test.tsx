import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { claimsQuery } from '../../api/install.ts';
import { chooseLanguage } from '../../i18n/runtime.ts';
import { followInstallPrompt, useInstallPrompt } from '../../lib/install-prompt.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { homeAnswers, settings } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import AppScreen from './AppScreen.tsx';

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Mobile/15E148 Safari/604.1';
const android =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36';

const links = [
  { resourceType: 'IOS', url: 'https://apps.example.test/ios' },
  { resourceType: 'Android', url: 'https://apps.example.test/app.apk' },
  { resourceType: 'MOBILECONFIG', url: '/wps/system/webclip' },
];
const claims = {
  source: 'simulated',
  list: Array.from({ length: 12 }, (_, i) => ({ name: `BC${'DFGHJKLMNPQR'[i]}`, points: 188 + i })),
};

function open(userAgent: string, more: Record<string, unknown> = {}, query = '') {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
  history.replaceState(null, '', `/m/app${query}`);
  answerWith({
    ...homeAnswers,
    'GET /wps/system/settings/consolidated': { ...settings, downloadLinks: links, ...more },
    'GET /wps/system/claims': claims,
  });
  return renderScreen(<AppScreen />);
}

const chosen = () =>
  screen.getAllByRole<HTMLInputElement>('radio').find((one) => one.checked)?.value;

beforeEach(() => useInstallPrompt.setState({ prompt: null }));

test('RT-23 OS-11 the guide of the phone in hand stands first, and the other is one tap away', async () => {
  open(iPhone);
  expect(chosen()).toBe('ios');
  expect(screen.getAllByRole('listitem').length).toBeGreaterThanOrEqual(3);
  expect(screen.getByText(/iOS 12.4 or later/)).toBeDefined();
  expect(screen.getByText('Choose Add to Home Screen')).toBeDefined();
  await userEvent.click(screen.getByRole('radio', { name: 'Android' }));
  expect(await screen.findByText('Open the browser’s menu')).toBeDefined();
});

test.each([
  ['12_3', 1],
  ['12_4', 0],
])('OS-11 an iPhone older than iOS 12.4 is told so: %s', (version, told) => {
  open(iPhone.replace('17_4', version));
  expect(screen.queryAllByText(/older than iOS 12.4/)).toHaveLength(told);
  expect(screen.queryAllByText(/iOS 12.4 or later/)).toHaveLength(1 - told);
});

test('OS-11 on Android its own guide stands first, and that of the iPhone is one tap away', async () => {
  open(android);
  expect(chosen()).toBe('android');
  expect(screen.getByText('Open the browser’s menu')).toBeDefined();
  await userEvent.click(screen.getByRole('radio', { name: 'iPhone (iOS)' }));
  expect(await screen.findByText('Choose Add to Home Screen')).toBeDefined();
  expect(screen.getByText(/iOS 12.4 or later/)).toBeDefined();
});

test('the address may ask for the other guide', () => {
  open(iPhone, {}, '?guide=android');
  expect(chosen()).toBe('android');
});

test('EN-08 OS-05 in part: the profile and the app for an iPhone, the file for Android', async () => {
  open(iPhone);
  const profile = await screen.findByRole('link', { name: 'Install by a profile' });
  expect(profile.getAttribute('href')).toBe('/wps/system/webclip');
  const app = screen.getByRole('link', { name: 'Download for iPhone' });
  expect(app.getAttribute('href')).toBe('https://apps.example.test/ios');
  await userEvent.click(screen.getByRole('radio', { name: 'Android' }));
  const file = screen.getByRole('link', { name: 'Download for Android' });
  expect(file.getAttribute('href')).toBe('https://apps.example.test/app.apk');
});

test('EN-08 a link to the guide itself is no download from there', async () => {
  open(iPhone, {
    downloadLinks: [
      { resourceType: 'Android', url: '/m/app' },
      { resourceType: 'IOS', url: '/m/app' },
    ],
  });
  await screen.findByText('Bonuses for installing');
  expect(screen.queryByRole('link', { name: 'Download for iPhone' })).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'Android' }));
  expect(screen.queryByRole('link', { name: 'Download for Android' })).toBeNull();
});

test('EN-08 a link that leads nowhere safe is no link', async () => {
  open(android, { downloadLinks: [{ resourceType: 'Android', url: 'javascript:alert(1)' }] });
  await screen.findByText('Bonuses for installing');
  expect(screen.queryByRole('link', { name: 'Download for Android' })).toBeNull();
});

test('OS-05 on an iPhone outside Safari an alert titled notice says to use Safari', async () => {
  open(iPhone.replace('Version/17.4', 'CriOS/126.0'));
  const profile = await screen.findByRole('link', { name: 'Install by a profile' });
  await userEvent.click(profile);
  const alert = await screen.findByRole('alertdialog', { name: 'Notice' });
  expect(within(alert).getByText(/open this page in Safari/)).toBeDefined();
  await userEvent.click(within(alert).getByRole('button', { name: 'Confirm' }));
  await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull();
});

test('the browser’s own question is kept until it is wanted, and asked once', async () => {
  followInstallPrompt();
  const prompt = vi.fn(async () => ({ outcome: 'accepted' as const }));
  dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }));
  open(android, { downloadLinks: [] });
  await userEvent.click(screen.getByRole('button', { name: 'Add to home screen' }));
  expect(prompt).toHaveBeenCalledOnce();
  await expect.poll(() => screen.queryByRole('button', { name: 'Add to home screen' })).toBeNull();
});

test('OS-05 KO-03 in part: ten claims at most, under their caption', async () => {
  open(iPhone);
  const block = within(await screen.findByRole('region', { name: 'Bonuses for installing' }));
  expect(block.getAllByText('Claimed')).toHaveLength(10);
  expect(block.getByText('188 points')).toBeDefined();
  expect(block.getByText('Illustration')).toBeDefined();
});

test('OS-05 real claims part: however few, they stand without a caption', async () => {
  const real = { source: 'claims', list: [{ name: 'MIN', points: 200 }] };
  answerWith({ ...homeAnswers, 'GET /wps/system/claims': real });
  renderScreen(<AppScreen />);
  const block = within(await screen.findByRole('region', { name: 'Bonuses for installing' }));
  expect(block.getByText('200 points')).toBeDefined();
  expect(block.queryByText('Illustration')).toBeNull();
  expect(block.queryByText(/Made up at random/)).toBeNull();
});

test('while there are no real claims nothing stands in their place', async () => {
  answerWith({ ...homeAnswers, 'GET /wps/system/claims': { source: 'claims', list: [] } });
  const { cache } = renderScreen(<AppScreen />);
  await expect.poll(() => cache.getQueryData(claimsQuery.queryKey)).toBeDefined();
  expect(screen.queryByRole('region', { name: 'Bonuses for installing' })).toBeNull();
});

test('ER-02 claims part: where they cannot be had it says so, and a tap brings them', async () => {
  const answers: Record<string, unknown> = {
    ...homeAnswers,
    'GET /wps/system/claims': new Failing(503, 'system.unavailable'),
  };
  answerWith(answers);
  renderScreen(<AppScreen />);
  const retry = await screen.findByRole('button', { name: /Load failed/ });
  answers['GET /wps/system/claims'] = claims;
  await userEvent.click(retry);
  expect(await screen.findByRole('region', { name: 'Bonuses for installing' })).toBeDefined();
});

test('ER-02 downloads part: where the links cannot be had it says so, and a tap brings them', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(iPhone);
  const site = 'GET /wps/system/settings/consolidated';
  const answers: Record<string, unknown> = {
    ...homeAnswers,
    [site]: new Failing(503, 'system.unavailable'),
    'GET /wps/system/claims': claims,
  };
  answerWith(answers);
  renderScreen(<AppScreen />);
  const retry = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
  expect(screen.getByText('Choose Add to Home Screen')).toBeDefined();
  answers[site] = { ...settings, downloadLinks: links };
  await userEvent.click(retry);
  expect(await screen.findByRole('link', { name: 'Install by a profile' })).toBeDefined();
  expect(screen.queryByRole('button', { name: /Load failed/ })).toBeNull();
});

test('LY-10 in part: ur is toggled against en, where both are spoken', async () => {
  open(iPhone);
  await userEvent.click(await screen.findByRole('button', { name: 'اردو' }));
  await expect.poll(() => document.documentElement.lang).toBe('ur');
  expect(document.documentElement.dir).toBe('rtl');
  await userEvent.click(await screen.findByRole('button', { name: 'English' }));
  await expect.poll(() => document.documentElement.lang).toBe('en');
  await chooseLanguage('vi');
});

test('no language is offered that the merchant does not speak', async () => {
  open(iPhone, { languages: ['VI', 'EN'] });
  await screen.findByText('Bonuses for installing');
  expect(screen.queryByRole('button', { name: 'اردو' })).toBeNull();
});
