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

test('RT-23 OS-11 shows the guide of the member’s phone first, and the other after a tap', async () => {
  open(iPhone);
  expect(chosen()).toBe('ios');
  expect(screen.getAllByRole('listitem').length).toBeGreaterThanOrEqual(3);
  expect(screen.getByText(/iOS 12.4 or later/)).toBeVisible();
  expect(screen.getByText('Choose Add to Home Screen')).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'Android' }));
  expect(await screen.findByText('Open the browser’s menu')).toBeVisible();
});

test.each([
  ['12_3', 1],
  ['12_4', 0],
])('OS-11 an iPhone older than iOS 12.4 shows a warning: %s', (version, warnings) => {
  open(iPhone.replace('17_4', version));
  expect(screen.queryAllByText(/older than iOS 12.4/)).toHaveLength(warnings);
  expect(screen.queryAllByText(/iOS 12.4 or later/)).toHaveLength(1 - warnings);
});

test('OS-11 Android shows its own guide first, and the iPhone guide after a tap', async () => {
  open(android);
  expect(chosen()).toBe('android');
  expect(screen.getByText('Open the browser’s menu')).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'iPhone (iOS)' }));
  expect(await screen.findByText('Choose Add to Home Screen')).toBeVisible();
  expect(screen.getByText(/iOS 12.4 or later/)).toBeVisible();
});

test('the query string selects a guide', () => {
  open(iPhone, {}, '?guide=android');
  expect(chosen()).toBe('android');
});

test('EN-08 OS-05 in part: profile and app links for iPhone, file link for Android', async () => {
  open(iPhone);
  const profile = await screen.findByRole('link', { name: 'Install by a profile' });
  expect(profile.getAttribute('href')).toBe('/wps/system/webclip');
  const app = screen.getByRole('link', { name: 'Download for iPhone' });
  expect(app.getAttribute('href')).toBe('https://apps.example.test/ios');
  await userEvent.click(screen.getByRole('radio', { name: 'Android' }));
  const file = screen.getByRole('link', { name: 'Download for Android' });
  expect(file.getAttribute('href')).toBe('https://apps.example.test/app.apk');
});

test('EN-08 a link to the guide itself is hidden', async () => {
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

test('EN-08 an unsafe link is hidden', async () => {
  open(android, { downloadLinks: [{ resourceType: 'Android', url: 'javascript:alert(1)' }] });
  await screen.findByText('Bonuses for installing');
  expect(screen.queryByRole('link', { name: 'Download for Android' })).toBeNull();
});

test('OS-05 an iPhone outside Safari shows an alert titled Notice that asks for Safari', async () => {
  open(iPhone.replace('Version/17.4', 'CriOS/126.0'));
  const profile = await screen.findByRole('link', { name: 'Install by a profile' });
  await userEvent.click(profile);
  const alert = await screen.findByRole('alertdialog', { name: 'Notice' });
  expect(within(alert).getByText(/open this page in Safari/)).toBeVisible();
  await userEvent.click(within(alert).getByRole('button', { name: 'Confirm' }));
  await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull();
});

test('the browser’s install prompt opens on a tap, once', async () => {
  followInstallPrompt();
  const prompt = vi.fn(async () => ({ outcome: 'accepted' as const }));
  dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }));
  open(android, { downloadLinks: [] });
  await userEvent.click(screen.getByRole('button', { name: 'Add to home screen' }));
  expect(prompt).toHaveBeenCalledOnce();
  await expect.poll(() => screen.queryByRole('button', { name: 'Add to home screen' })).toBeNull();
});

test('OS-05 KO-03 in part: shows at most ten claims, with the caption', async () => {
  open(iPhone);
  const block = within(await screen.findByRole('region', { name: 'Bonuses for installing' }));
  expect(block.getAllByText('Claimed')).toHaveLength(10);
  expect(block.getByText('188 points')).toBeVisible();
  expect(block.getByText('Illustration')).toBeVisible();
});

test('OS-05 real claims part: real claims have no caption', async () => {
  const real = { source: 'claims', list: [{ name: 'MIN', points: 200 }] };
  answerWith({ ...homeAnswers, 'GET /wps/system/claims': real });
  renderScreen(<AppScreen />);
  const block = within(await screen.findByRole('region', { name: 'Bonuses for installing' }));
  expect(block.getByText('200 points')).toBeVisible();
  expect(block.queryByText('Illustration')).toBeNull();
  expect(block.queryByText(/Made up at random/)).toBeNull();
});

test('hides the list without claims', async () => {
  answerWith({ ...homeAnswers, 'GET /wps/system/claims': { source: 'claims', list: [] } });
  const { cache } = renderScreen(<AppScreen />);
  await expect.poll(() => cache.getQueryData(claimsQuery.queryKey)).toBeDefined();
  expect(screen.queryByRole('region', { name: 'Bonuses for installing' })).toBeNull();
});

test('ER-02 claims part: a failed load shows an error, and a tap retries', async () => {
  const answers: Record<string, unknown> = {
    ...homeAnswers,
    'GET /wps/system/claims': new Failing(503, 'system.unavailable'),
  };
  answerWith(answers);
  renderScreen(<AppScreen />);
  const retry = await screen.findByRole('button', { name: /Load failed/ });
  answers['GET /wps/system/claims'] = claims;
  await userEvent.click(retry);
  expect(await screen.findByRole('region', { name: 'Bonuses for installing' })).toBeVisible();
});

test('ER-02 downloads part: a failed load shows an error, and a tap retries', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(iPhone);
  const settingsCall = 'GET /wps/system/settings/consolidated';
  const answers: Record<string, unknown> = {
    ...homeAnswers,
    [settingsCall]: new Failing(503, 'system.unavailable'),
    'GET /wps/system/claims': claims,
  };
  answerWith(answers);
  renderScreen(<AppScreen />);
  const retry = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
  expect(screen.getByText('Choose Add to Home Screen')).toBeVisible();
  answers[settingsCall] = { ...settings, downloadLinks: links };
  await userEvent.click(retry);
  expect(await screen.findByRole('link', { name: 'Install by a profile' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /Load failed/ })).toBeNull();
});

test('LY-10 in part: toggles between ur and en when the merchant has both', async () => {
  open(iPhone);
  await userEvent.click(await screen.findByRole('button', { name: 'English' }));
  await userEvent.click(await screen.findByRole('button', { name: 'اردو' }));
  await expect.poll(() => document.documentElement.lang).toBe('ur');
  expect(document.documentElement.dir).toBe('rtl');
  await userEvent.click(await screen.findByRole('button', { name: 'English' }));
  await expect.poll(() => document.documentElement.lang).toBe('en');
  await chooseLanguage('vi');
});

test('hides the language switch without Urdu', async () => {
  open(iPhone, { languages: ['VI', 'EN'] });
  await screen.findByText('Bonuses for installing');
  expect(screen.queryByRole('button', { name: 'اردو' })).toBeNull();
});
