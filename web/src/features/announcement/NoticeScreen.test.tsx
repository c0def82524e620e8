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
const marked = (asked: Request[]) => asked.filter(({ method }) => method === 'POST');

test('RT-13 all notices, those that are new marked for members and not for visitors', async () => {
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

test('RT-13 the newest notice stands first', async () => {
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

test('CA-28 popular part: what members read most is asked for once it is wanted, and stands in that order', async () => {
  const popular = 'GET /wps/relay/MCSFE_getPopularAnnouncements';
  const row = (id: number) => ({ id: String(id), title: `News ${id}`, type: 'PL' });
  let down = true;
  const asked = answerWith({
    [list]: [announcement(1), announcement(2), announcement(3)],
    // The second of these is a promotion, which this screen does not have.
    [popular]: () => (down ? new Failing(500, 'system.error') : [row(3), row(9), row(1)]),
  });
  renderScreen(<NoticeScreen />);
  await card(1);
  const calls = () => asked.filter(({ url }) => url.includes('Popular'));
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

test('agents see the notices of agents too', async () => {
  logIn(1);
  const asked = answerWith({ [list]: [] });
  renderScreen(<NoticeScreen />);
  await screen.findByText('No announcements');
  const call = asked.find(({ url }) => url.includes('MCSFE_getListAnnouncements'))!;
  expect(new URL(call.url).searchParams.get('types')).toBe('PL,A');
});

test('ST-06 an opened notice is read at once, then the server is told, then asked anew', async () => {
  logIn();
  let told!: (value: unknown) => void;
  const asked = answerWith({
    [list]: [announcement(1)],
    [mark]: () =>
      new Promise((resolve) => {
        told = resolve;
      }),
  });
  renderScreen(<NoticeScreen />);
  await userEvent.click(await card(1));
  expect(await screen.findByText('Text 1')).toBeDefined();
  await expect.poll(async () => (await card(1)).textContent).not.toContain('Unread');
  await expect.poll(() => marked(asked).length).toBe(1);
  expect(await marked(asked)[0]!.json()).toEqual({ announcementId: '1', read: true });
  const before = asked.length;
  told({});
  await expect.poll(() => asked.length).toBe(before + 1);
});

test('ST-06 calls begin 150 ms apart, and a second tap tells nothing twice', async () => {
  logIn();
  const read = new Set<string>();
  const asked = answerWith({
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
  // However long a machine takes over it, all of this is one moment.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 200);
  await userEvent.dblClick(all);
  await expect.poll(() => screen.queryByRole('button', { name: 'Read all' })).toBeNull();
  await expect.poll(() => marked(asked).length).toBe(3);
  // All three are wished for at once: the second waits for one turn, the third for two.
  const turns = waits.mock.calls.map(([, ms = 0]) => Math.round(ms));
  expect(turns.filter((ms) => ms > 100 && ms <= 300)).toEqual([150, 300]);
});

test('a reading that could not be told shows as new again', async () => {
  logIn();
  answerWith({ [list]: [announcement(1)], [mark]: new Failing(500, 'system.error') });
  renderScreen(<NoticeScreen />);
  await userEvent.click(await card(1));
  await expect.poll(async () => (await card(1)).textContent).toContain('Unread');
});

test('the chips narrow the list', async () => {
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

test('SE-06 client part: what an operator wrote is cleaned before it is shown', async () => {
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

test('a list that cannot be had can be asked for again', async () => {
  let fails = true;
  answerWith({ [list]: () => (fails ? new Failing(500, 'system.error') : [announcement(1)]) });
  renderScreen(<NoticeScreen />);
  const retry = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
  fails = false;
  await userEvent.click(retry);
  expect(await card(1)).toBeDefined();
});

test('a picture that cannot be had gives way to the default one', async () => {
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
  'RT-27 in part: an address that names no announcement says so: %s',
  (id) => {
    const asked = answerWith({});
    history.replaceState(null, '', `/m/banner/${id}`);
    renderScreen(<BannerScreen />);
    expect(screen.getByText('No longer announced')).toBeDefined();
    expect(asked).toHaveLength(0);
  },
);
