import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { answerWith as answer, Failing } from '../../lib/testing/answers.ts';
import { announcement, settings } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { toast } from '../../ui/toastStore.ts';
import BannerScreen from './BannerScreen.tsx';
import NoticeScreen from './NoticeScreen.tsx';

const list = 'GET /wps/relay/MCSFE_getListAnnouncements';
const answerWith = (answers: Record<string, unknown>) =>
  answer({ 'GET /wps/system/settings/consolidated': settings, ...answers });
const mark = 'POST /wps/relay/MCSFE_markAnnouncementAsRead';

beforeEach(() => {
  clearSession();
  toast.hide();
});

function logIn(type = 0) {
  const session = { token: 't', userName: 'demo88', merchantCode: 'f', firstTimeLogin: false };
  act(() => startSession({ ...session, type }));
}

const card = (number: number) =>
  screen.findByRole('button', { name: new RegExp(`News ${number}`) });
const marked = (requests: Request[]) => requests.filter(({ method }) => method === 'POST');

test('RT-13 shows all notices; unread ones are marked for members only', async () => {
  answerWith({ [list]: [announcement(1), announcement(2, { read: true })] });
  const { unmount } = renderScreen(<NoticeScreen />);
  expect((await card(1)).textContent).not.toContain('Unread');
  expect(screen.queryByRole('button', { name: 'Read all' })).toBeNull();
  unmount();
  logIn();
  renderScreen(<NoticeScreen />);
  expect((await card(1)).textContent).toContain('Unread');
  expect((await card(2)).textContent).not.toContain('Unread');
});

test('RT-13 shows the newest notice first', async () => {
  const at = (startTime: number) => ({ startTime });
  answerWith({
    [list]: [
      announcement(1, at(1)),
      announcement(2, at(3)),
      announcement(3, at(3)),
      announcement(4, at(2)),
    ],
  });
  renderScreen(<NoticeScreen />);
  await card(1);
  const titles = screen
    .getAllByRole('listitem')
    .map((item) => /News \d/.exec(item.textContent)?.[0]);
  expect(titles).toEqual(['News 2', 'News 3', 'News 4', 'News 1']);
});

test('CA-28 popular part: the most read notices load on demand and keep the server’s order', async () => {
  const popular = 'GET /wps/relay/MCSFE_getPopularAnnouncements';
  const row = (id: number) => ({ id: String(id), title: `News ${id}`, type: 'PL' });
  let down = true;
  const requests = answerWith({
    [list]: [announcement(1), announcement(2), announcement(3)],
    // 9 is a promotion, which this screen does not show.
    [popular]: () => (down ? new Failing(500, 'system.error') : [row(3), row(9), row(1)]),
  });
  renderScreen(<NoticeScreen />);
  await card(1);
  const calls = () => requests.filter(({ url }) => url.includes('Popular'));
  expect(calls()).toHaveLength(0);
  await userEvent.click(screen.getByRole('button', { name: 'Read most' }));
  const retry = await screen.findByRole('button', { name: /Load failed/ });
  down = false;
  await userEvent.click(retry);
  await card(3);
  const titles = screen
    .getAllByRole('listitem')
    .map((item) => /News \d/.exec(item.textContent)?.[0]);
  expect(titles).toEqual(['News 3', 'News 1']);
  expect(new URL(calls()[0]!.url).searchParams.get('platform')).toBe('M');
  await userEvent.click(screen.getByRole('button', { name: 'All' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
});

test('agents also see agent notices', async () => {
  logIn(1);
  const requests = answerWith({ [list]: [] });
  renderScreen(<NoticeScreen />);
  await screen.findByText('No announcements');
  const call = requests.find(({ url }) => url.includes('MCSFE_getListAnnouncements'))!;
  expect(new URL(call.url).searchParams.get('types')).toBe('PL,A');
});

test('ST-06 opening a notice marks it as read at once, then on the server, then reloads the list', async () => {
  logIn();
  let respond!: (value: unknown) => void;
  const requests = answerWith({
    [list]: [announcement(1)],
    [mark]: () =>
      new Promise((resolve) => {
        respond = resolve;
      }),
  });
  renderScreen(<NoticeScreen />);
  await userEvent.click(await card(1));
  expect(await screen.findByText('Text 1')).toBeVisible();
  await expect.poll(async () => (await card(1)).textContent).not.toContain('Unread');
  await expect.poll(() => marked(requests).length).toBe(1);
  expect(await marked(requests)[0]!.json()).toEqual({ announcementId: '1', read: true });
  const before = requests.length;
  respond({});
  await expect.poll(() => requests.length).toBe(before + 1);
});

test('ST-06 calls start 150 ms apart, and a double tap sends each once', async () => {
  logIn();
  const read = new Set<string>();
  const requests = answerWith({
    [list]: () => [1, 2, 3].map((n) => announcement(n, { read: read.has(String(n)) })),
    [mark]: async (request: Request) => {
      read.add(((await request.json()) as { announcementId: string }).announcementId);
      return {};
    },
  });
  renderScreen(<NoticeScreen />);
  await card(1);
  const all = screen.getByRole('button', { name: 'Read all' });
  const waits = vi.spyOn(globalThis, 'setTimeout');
  // Freezes the clock, so that a slow machine does not change the delays.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 200);
  await userEvent.dblClick(all);
  await expect.poll(() => screen.queryByRole('button', { name: 'Read all' })).toBeNull();
  await expect.poll(() => marked(requests).length).toBe(3);
  // All three start at once: the second waits for one interval, the third for two.
  const delays = waits.mock.calls.map(([, ms = 0]) => Math.round(ms));
  expect(delays.filter((ms) => ms > 100 && ms <= 300)).toEqual([150, 300]);
});

test('a notice becomes unread again when marking it fails', async () => {
  logIn();
  answerWith({ [list]: [announcement(1)], [mark]: new Failing(500, 'system.error') });
  renderScreen(<NoticeScreen />);
  await userEvent.click(await card(1));
  await expect.poll(async () => (await card(1)).textContent).toContain('Unread');
});

test('chips filter the list', async () => {
  logIn();
  answerWith({
    [list]: [announcement(1, { tag: 'System' }), announcement(2, { tag: 'Events', read: true })],
  });
  renderScreen(<NoticeScreen />);
  await card(1);
  const chips = within(screen.getByRole('group', { name: 'Which announcements' }));
  await userEvent.click(chips.getByRole('button', { name: 'Events' }));
  expect(screen.queryByText('News 1')).toBeNull();
  await userEvent.click(chips.getByRole('button', { name: /^Unread/ }));
  expect(screen.queryByText('News 2')).toBeNull();
});

test('SE-06 client part: operator HTML is sanitized before it is shown', async () => {
  const content =
    '<p onclick="x()">Good <a href="javascript:alert(1)">link</a><script>bad()</script><img src="https://elsewhere.example/a.png" onerror="x()"></p><a href="/m/help">Help</a>';
  answerWith({ [list]: [announcement(1, { content })] });
  const { container } = renderScreen(<NoticeScreen />);
  await userEvent.click(await card(1));
  const help = await screen.findByRole('link', { name: 'Help' });
  expect(container.querySelector('script, img[src^="https"], [onclick], [onerror]')).toBeNull();
  expect(container.querySelector('[href^="javascript"]')).toBeNull();
  await userEvent.click(help);
  expect(location.pathname).toBe('/m/help');
});

test('a failed list can be loaded again', async () => {
  let fails = true;
  answerWith({ [list]: () => (fails ? new Failing(500, 'system.error') : [announcement(1)]) });
  renderScreen(<NoticeScreen />);
  const retry = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
  fails = false;
  await userEvent.click(retry);
  expect(await card(1)).toBeVisible();
});

test('a picture that fails to load is replaced by the default one', async () => {
  const image = '/m/art/banners/gone.webp';
  answerWith({ 'GET /wps/relay/MCSFE_getAnnouncement': announcement(1, { image }) });
  history.replaceState(null, '', '/m/banner/1');
  const { container } = renderScreen(<BannerScreen />);
  await screen.findByRole('heading', { name: 'News 1' });
  const picture = container.querySelector('img')!;
  expect([picture.getAttribute('src'), picture.getAttribute('decoding')]).toEqual([image, 'async']);
  fireEvent.error(picture);
  expect(container.querySelector('img')?.getAttribute('src')).toMatch(/megaphone\.webp$/);
});

test.each(['%FF', 'abc', '1e3', ''])(
  'RT-27 in part: an invalid id shows the empty state: %s',
  (id) => {
    const requests = answerWith({});
    history.replaceState(null, '', `/m/banner/${id}`);
    renderScreen(<BannerScreen />);
    expect(screen.getByText('No longer announced')).toBeVisible();
    expect(requests).toHaveLength(0);
  },
);
