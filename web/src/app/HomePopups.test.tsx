import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { clearSession, startSession } from '../api/session.ts';
import { localStore } from '../lib/storage.ts';
import { answerWith } from '../lib/testing/answers.ts';
import { announcement, homeAnswers, settings } from '../lib/testing/fixtures.ts';
import { renderScreen } from '../lib/testing/screen.tsx';
import { flushEventLoop } from '../lib/testing/time.ts';
import { toast } from '../ui/toastStore.ts';
import { FloatingButtons } from './FloatingButtons.tsx';
import HomePopups from './HomePopups.tsx';

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Safari/604.1';
const android = 'Mozilla/5.0 (Linux; Android 14) Chrome/126.0 Mobile Safari/537.36';
const announcementsCall = 'GET /wps/relay/MCSFE_getListAnnouncements';
const settingsCall = 'GET /wps/system/settings/consolidated';
const links = [
  { resourceType: 'Android', url: 'https://apps.example.test/app.apk' },
  { resourceType: 'MOBILECONFIG', url: '/wps/system/webclip' },
];
/** `execution` selects who sees the popup. A: logged-in users, B: visitors, F: members on their first login. */
const popup = (number: number, execution: string) =>
  announcement(number, { type: 'PU', execution });

beforeEach(() => {
  clearSession();
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, '', '/m/home');
});

function renderHome(
  extraResponses: Record<string, unknown> = {},
  userAgent = android,
  msSinceHomeShown = 0,
) {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
  answerWith({ ...homeAnswers, ...extraResponses });
  return renderScreen(
    <>
      <FloatingButtons />
      <HomePopups shownAt={performance.now() - msSinceHomeShown} />
    </>,
  );
}

function logIn(firstTimeLogin: boolean) {
  const session = { token: 't', type: 0, userName: 'demo88', merchantCode: 'f' };
  act(() => startSession({ ...session, firstTimeLogin }));
}

const dialog = () => screen.findByRole('dialog', {});
async function expectClosed(): Promise<void> {
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
}

test('OS-07 HM-08 one page for each popup, with close, previous and next', async () => {
  renderHome({ [announcementsCall]: [popup(1, 'B'), popup(2, 'B'), popup(3, 'A')] });
  const shown = within(await dialog());
  expect(shown.getByRole('heading', { name: 'News 1' })).toBeVisible();
  expect(shown.getByText('1 / 2')).toBeVisible();
  const [previous, next] = ['Previous', 'Next'].map((name) =>
    shown.getByRole<HTMLButtonElement>('button', { name }),
  );
  expect([previous!.disabled, next!.disabled]).toEqual([true, false]);
  await userEvent.click(next!);
  expect(shown.getByRole('heading', { name: 'News 2' })).toBeVisible();
  expect(await shown.findByText('Text 2')).toBeVisible();
  expect([previous!.disabled, next!.disabled]).toEqual([false, true]);
  await userEvent.click(previous!);
  expect(shown.getByRole('heading', { name: 'News 1' })).toBeVisible();
  await userEvent.click(shown.getByRole('button', { name: 'Close' }));
  await expectClosed();
  expect(sessionStorage.getItem('announcementPopup.B')).toBe('{"show":false}');
});

test.each([
  ['a returning member', false, ['News 2']],
  ['a member on first login', true, ['News 2', 'News 3']],
])('ST-04 %s sees the popups for logged-in users', async (_, firstTime, titles) => {
  logIn(firstTime);
  renderHome({ [announcementsCall]: [popup(1, 'B'), popup(2, 'A'), popup(3, 'F')] });
  const shown = within(await dialog());
  expect(shown.getByRole('heading', { name: titles[0]! })).toBeVisible();
  expect(shown.queryByText(`1 / ${titles.length}`) !== null).toBe(titles.length > 1);
});

test('ST-04 popups appear after half a second, and never after they were closed', async () => {
  vi.useFakeTimers();
  sessionStorage.setItem('announcementPopup.B', '{"show":false}');
  const { unmount } = renderHome({ [announcementsCall]: [popup(1, 'B')] });
  await act(() => vi.advanceTimersByTimeAsync(3000));
  expect(screen.queryByRole('dialog')).toBeNull();
  unmount();
  sessionStorage.clear();
  renderHome({ [announcementsCall]: [popup(1, 'B')] });
  await act(() => vi.advanceTimersByTimeAsync(450));
  expect(screen.queryByRole('dialog')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(100));
  vi.useRealTimers();
  expect(await dialog()).toBeVisible();
});

test('ST-04 the delay starts when home appears, even if the code loads later', async () => {
  vi.useFakeTimers();
  renderHome({ [announcementsCall]: [popup(1, 'B')] }, android, 400);
  await act(() => vi.advanceTimersByTimeAsync(99));
  expect(screen.queryByRole('dialog')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1));
  vi.useRealTimers();
  expect(await dialog()).toBeVisible();
});

test('a popup waits for a toast with a button', async () => {
  vi.useFakeTimers();
  renderHome({ [announcementsCall]: [popup(1, 'B')] });
  act(() => {
    toast.success('Welcome', { seconds: 8, action: { label: 'Set limits', onPress: () => {} } });
  });
  await act(() => vi.advanceTimersByTimeAsync(7900));
  expect(screen.queryByRole('dialog')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(200));
  vi.useRealTimers();
  expect(await dialog()).toBeVisible();
});

test('HM-08 the download popup appears once, if enabled, after the announcements', async () => {
  const claims = { source: 'simulated', list: [] };
  const extraResponses = {
    [settingsCall]: { ...settings, downloadPopup: true },
    'GET /wps/system/claims': claims,
  };
  renderHome({ ...extraResponses, [announcementsCall]: [popup(1, 'B')] });
  await userEvent.click(within(await dialog()).getByRole('button', { name: 'Close' }));
  const offer = await screen.findByRole('dialog', { name: 'Install Fairground' });
  await userEvent.click(within(offer).getByRole('button', { name: 'Close' }));
  await expectClosed();
  expect(sessionStorage.getItem('announcementPopup.download')).toBe('{"show":false}');
});

test.each([
  ['Android', android, ['https://apps.example.test/app.apk']],
  ['an iPhone', iPhone, ['/wps/system/webclip', 'https://apps.example.test/ios']],
])(
  'OS-05 KO-03 popup part: on %s the download popup offers the right links above a scrolling list of ten bonus claims',
  async (_, agent, urls) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const scroll = vi.fn();
    Element.prototype.scrollTo = scroll;
    const downloadLinks = [...links, { resourceType: 'IOS', url: 'https://apps.example.test/ios' }];
    const claims = Array.from({ length: 12 }, (_each, i) => ({ name: 'ABC', points: 188 + i }));
    renderHome(
      {
        [settingsCall]: { ...settings, downloadPopup: true, downloadLinks },
        'GET /wps/system/claims': { source: 'simulated', list: claims },
      },
      agent,
    );
    const offer = within(await screen.findByRole('dialog', { name: 'Install Fairground' }));
    const block = within(await offer.findByRole('region', { name: 'Bonuses for installing' }));
    expect(block.getAllByRole('listitem')).toHaveLength(10);
    expect(offer.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(urls);
    vi.advanceTimersByTime(10_000);
    expect(scroll).toHaveBeenCalled();
    vi.useRealTimers();
  },
);

/** Returns the encrypted URL with its key appended, as the server sends it. */
async function encryptLink(url: string): Promise<string> {
  const secret = 'k3y-K3Y_';
  const utf8 = (text: string) => new TextEncoder().encode(text);
  const digest = await crypto.subtle.digest('SHA-256', utf8(secret));
  const key = await crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt']);
  const iv = new Uint8Array(12);
  const encrypted = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, utf8(url));
  return Buffer.concat([iv, Buffer.from(encrypted)]).toString('base64url') + secret;
}

test('HM-10 the customer service button appears only if there is a link, and opens it', async () => {
  const path = await encryptLink('https://chat.example.test/');
  const service = 'GET /wps/system/customerService';
  const { unmount } = renderHome({ [service]: [{ csType: 'CS', path }] });
  const button = await screen.findByRole('link', { name: 'Customer service' });
  expect(button.getAttribute('href')).toBe('https://chat.example.test/');
  unmount();
  renderHome({
    [service]: [
      { csType: 'CS', path: '' },
      { csType: 'ZALO', path },
    ],
  });
  await act(() => flushEventLoop());
  expect(screen.queryByRole('link', { name: 'Customer service' })).toBeNull();
});

const bar = () => screen.queryByRole('complementary', { name: 'Download app' });
const withDownloadLinks = {
  [settingsCall]: { ...settings, appWindow: true, downloadLinks: links },
};

test('OS-06, EN-03 hideDownloadBar part: a hidden download bar stays hidden', async () => {
  const { unmount } = renderHome(withDownloadLinks);
  await userEvent.click(await screen.findByRole('button', { name: 'Hide' }));
  expect(bar()).toBeNull();
  expect(localStore.get('hideDownloadBar')).toBe('1');
  unmount();
  renderHome(withDownloadLinks);
  await act(() => flushEventLoop());
  expect(bar()).toBeNull();
});

test.each([
  [
    'in an installed app',
    android,
    () => vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList),
  ],
  [
    'in an iPhone web clip, when there is no iOS download link',
    iPhone,
    () => localStore.set('WEBCLIP', '1'),
  ],
  ['on a device without a download', 'Mozilla/5.0 (X11; Linux x86_64)', () => {}],
])('OS-06 no download bar %s', async (_, agent, prepare) => {
  prepare();
  renderHome(withDownloadLinks, agent);
  await act(() => flushEventLoop());
  expect(bar()).toBeNull();
});

test.each([
  ['Safari on an iPhone', links, ''],
  ['a web clip with an iOS link', [...links, { resourceType: 'IOS', url: '/m/app' }], '1'],
])('OS-06 %s shows the download bar', async (_, downloadLinks, clip) => {
  if (clip) localStore.set('WEBCLIP', clip);
  renderHome({ [settingsCall]: { ...settings, appWindow: true, downloadLinks } }, iPhone);
  await expect.poll(bar).not.toBeNull();
});
