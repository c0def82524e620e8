import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { clearSession, startSession } from '../api/session.ts';
import { closeOverlay, openMenu } from '../lib/overlays.ts';
import { answerWith } from '../lib/testing/answers.ts';
import { homeAnswers, settings, status, switches } from '../lib/testing/fixtures.ts';
import { renderScreen } from '../lib/testing/screen.tsx';
import { Shell } from './Shell.tsx';

beforeEach(() => {
  clearSession();
  closeOverlay();
  history.replaceState(null, '', '/m/activity');
});

async function menu(more: Record<string, unknown> = {}) {
  answerWith({ ...homeAnswers, ...more });
  renderScreen(<Shell />);
  await screen.findByRole('navigation', { name: 'Main' });
  openMenu();
  return within(await screen.findByRole('dialog', { name: 'Menu' }));
}

const logIn = () =>
  startSession({
    token: 't',
    type: 0,
    userName: 'demo88',
    merchantCode: 'f',
    firstTimeLogin: false,
  });
const targets = (shown: ReturnType<typeof within>) =>
  shown.getAllByRole('link').map((link: HTMLElement) => link.getAttribute('href'));

test('SM-01 shows the logo, the member, the total balance and the logout button', async () => {
  logIn();
  const shown = await menu();
  expect(shown.getByText('Fairground')).toBeVisible();
  expect(await shown.findByText('Minh Anh')).toBeVisible();
  expect(await shown.findByText('12,480,500 ₫')).toBeVisible();
  expect(shown.getByRole('button', { name: 'Log out' })).toBeVisible();
});

test('SM-02 a visitor sees login, register and forgot password instead', async () => {
  const shown = await menu();
  expect(targets(shown).slice(0, 3)).toEqual(['/m/login', '/m/register', '/m/forget']);
  expect(shown.queryByRole('button', { name: 'Log out' })).toBeNull();
});

test.each([true, false])('SM-03 the shortcuts (installed app: %s)', async (installed) => {
  if (installed) {
    const query = Object.assign(new EventTarget(), { matches: true }) as MediaQueryList;
    vi.spyOn(window, 'matchMedia').mockReturnValue(query);
  }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('12345678'));
  const key = await crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt']);
  const iv = new Uint8Array(12);
  const text = new TextEncoder().encode('https://wa.example.test/1');
  const encrypted = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, text);
  const path = `${Buffer.concat([iv, Buffer.from(encrypted)]).toString('base64url')}12345678`;
  const shown = await menu({
    'GET /wps/system/customerService': [{ csType: 'WHATSAPP', path }],
    'GET /wps/system/whitelabel': { ...switches, flags: { CBS3: true } },
  });
  await shown.findByText('WhatsApp');
  await shown.findByText('Live chat');
  const [first] = shown.getAllByRole('list');
  expect(targets(within(first!))).toEqual([
    '/m/voucherCenter',
    '/m/withdraw',
    '/m/gameRecord',
    'https://wa.example.test/1',
    '/m/chat',
    ...(installed ? [] : ['/m/app']),
  ]);
});

test('SM-03 shortcuts part: without the flag of the live chat there is no way to it', async () => {
  const shown = await menu({
    'GET /wps/system/whitelabel': {
      ...switches,
      flags: { CBS3: false, MANPLAYREB3: true },
    },
  });
  await shown.findByRole('link', { name: 'Cash back' });
  expect(targets(shown)).not.toContain('/m/chat');
});

test('SM-04 opens and closes, and has the languages', async () => {
  const shown = await menu();
  expect(shown.getByRole('radiogroup', { name: 'Language' })).toBeVisible();
  await userEvent.click(shown.getByRole('button', { name: 'Close' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

test('LY-11 menu part: a merchant with one language has no language picker', async () => {
  const settingsCall = 'GET /wps/system/settings/consolidated';
  const shown = await menu({
    [settingsCall]: { ...settings, languages: ['VI'], pickerLanguages: ['VI'] },
  });
  expect(await shown.findByRole('radiogroup', { name: 'Appearance' })).toBeVisible();
  await expect.poll(() => shown.queryByRole('radiogroup', { name: 'Language' })).toBeNull();
});

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Safari/604.1';
const profile = [{ resourceType: 'MOBILECONFIG', url: '/wps/system/webclip' }];

test.each([
  ['/m/home', true, profile, iPhone, 1],
  ['/m/home', false, profile, iPhone, 0],
  ['/m/home', true, [], iPhone, 0],
  ['/m/home', true, profile, 'Mozilla/5.0 (Linux; Android 14)', 0],
  ['/m/activity', true, profile, iPhone, 0],
])(
  'HD-03 the link to the app on %s, window %s, links %j',
  async (path, appWindow, downloadLinks, agent, count) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent);
    history.replaceState(null, '', path);
    answerWith({
      ...homeAnswers,
      'GET /wps/system/settings/consolidated': { ...settings, appWindow, downloadLinks },
    });
    renderScreen(<Shell />);
    const header = within(await screen.findByRole('banner'));
    await screen.findByRole('navigation', { name: 'Main' });
    await expect
      .poll(() => header.queryAllByRole('link', { name: 'Download app' }).length)
      .toBe(count);
  },
);

test.each([
  ['/m/icons/icon-192.png', 1],
  ['https://elsewhere.example.test/icon.png', 0],
])(
  'EN-08 icon part: the link to the app uses the merchant’s icon only from this site: %s',
  async (url, count) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(iPhone);
    history.replaceState(null, '', '/m/home');
    const downloadLinks = [...profile, { resourceType: 'AppDownloadIcon', url }];
    answerWith({
      ...homeAnswers,
      'GET /wps/system/settings/consolidated': { ...settings, appWindow: true, downloadLinks },
    });
    renderScreen(<Shell />);
    const link = await screen.findByRole('link', { name: 'Download app' });
    expect(link.querySelectorAll(`img[src="${url}"]`)).toHaveLength(count);
  },
);

test.each([
  ['HOT', '/m/home'],
  ['LIVE', '/m/home?category=HOT'],
])(
  'BM-01 home selects HOT and scrolls to the top, also if it starts with %s',
  async (first, to) => {
    const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => {});
    answerWith({
      ...homeAnswers,
      'GET /wps/system/status': { ...status, homeGameCategory: first },
    });
    renderScreen(<Shell />);
    const main = within(await screen.findByRole('navigation', { name: 'Main' }));
    await expect.poll(() => main.getByText('Home').closest('a')?.getAttribute('href')).toBe(to);
    await userEvent.click(main.getByText('Home'));
    expect(location.pathname + location.search).toBe(to);
    expect(scroll).toHaveBeenCalledWith({ top: 0, behavior: 'smooth' });
  },
);

test('BM-04 promotion opens its screen', async () => {
  history.replaceState(null, '', '/m/home');
  answerWith(homeAnswers);
  renderScreen(<Shell />);
  const main = within(await screen.findByRole('navigation', { name: 'Main' }));
  await userEvent.click(main.getByText('Promotion'));
  expect(location.pathname).toBe('/m/activity');
});

test.each([
  ['/m/member/manualRebate', 'Cash back', { flags: { MANPLAYREB3: false } }],
  ['/m/inviteFriends', 'Invite friends', { promotions: { REFERRAL: false } }],
])('RO-09 the URL %s needs its switch', async (path, title, off) => {
  logIn();
  history.replaceState(null, '', path);
  answerWith(homeAnswers);
  const { unmount } = renderScreen(<Shell />);
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
  unmount();
  answerWith({
    ...homeAnswers,
    'GET /wps/system/whitelabel': { ...homeAnswers['GET /wps/system/whitelabel'], ...off },
  });
  renderScreen(<Shell />);
  expect(await screen.findByRole('heading', { level: 1, name: /Home$/ })).toBeVisible();
  expect(screen.queryByRole('heading', { name: title })).toBeNull();
});

test('RT-27 float part: the language picker floats on screens without their own, LY-11 and only with several languages', async () => {
  answerWith(homeAnswers);
  const { unmount } = renderScreen(<Shell />);
  expect(await screen.findByRole('combobox', { name: 'Language' })).toBeVisible();
  unmount();
  history.replaceState(null, '', '/m/home');
  const home = renderScreen(<Shell />);
  await screen.findByText('Game 1');
  expect(screen.queryByRole('combobox', { name: 'Language' })).toBeNull();
  home.unmount();
  history.replaceState(null, '', '/m/credits');
  answerWith({
    ...homeAnswers,
    'GET /wps/system/settings/consolidated': { ...settings, pickerLanguages: ['VI'] },
  });
  renderScreen(<Shell />);
  await screen.findByRole('heading', { level: 1, name: 'Credits' });
  expect(screen.queryByRole('combobox', { name: 'Language' })).toBeNull();
});
