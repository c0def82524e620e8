import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession } from '../../api/session.ts';
import { localStore } from '../../lib/storage.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { homeAnswers, switches } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import HelpDetailScreen from './HelpDetailScreen.tsx';
import HelpScreen from './HelpScreen.tsx';
import { searchHelp } from './search.ts';

const list = 'GET /wps/system/helpCenter';
const vote = 'POST /wps/system/helpCenter/vote';
const article = (code: string, title: string, content: string) => ({
  code,
  title,
  content,
  children: [],
});
const topics = [
  { ...article('start', 'Start', ''), children: [article('join', 'Join', '<p>Join here.</p>')] },
  {
    ...article('help-deposits', 'Nạp tiền', ''),
    children: [
      article('missing', 'Tiền chưa vào ví', '<p>Đợi 5 phút.</p><script>throw 1</script>'),
      article('limits', 'Hạn mức', '<ol><li>Mở Giới hạn.</li></ol>'),
    ],
  },
  article('alone', 'Alone', '<p>Only text.</p>'),
];
const answers = { ...homeAnswers, [list]: topics };

const topic = (name: RegExp) => screen.findByRole('button', { name });

beforeEach(() => {
  clearSession();
  localStore.clear();
  history.replaceState(null, '', '/m/help');
});

test('RT-16 OS-02 one topic is open at a time, and tapping the open one closes it', async () => {
  answerWith(answers);
  const { container } = renderScreen(<HelpScreen />);
  await userEvent.click(await topic(/^1 ?Start/));
  expect(screen.getByRole('button', { name: /1\.1 ?Join/ })).toBeVisible();
  await userEvent.click(await topic(/^2 ?Nạp tiền/));
  expect(screen.queryByRole('button', { name: /Join/ })).toBeNull();
  expect(screen.getByRole('button', { name: /2\.2 ?Hạn mức/ })).toBeVisible();
  expect(location.search).toBe('?p=1');
  await userEvent.click(await topic(/^2 ?Nạp tiền/));
  expect(container.querySelectorAll('[aria-expanded=true]')).toHaveLength(0);
  expect(location.search).toBe('');
  await userEvent.click(await topic(/^3 ?Alone/));
  expect(await screen.findByText('Only text.')).toBeVisible();
});

test('RT-16 an article opens at its own address', async () => {
  answerWith(answers);
  renderScreen(<HelpScreen />);
  await userEvent.click(await topic(/^2 ?Nạp tiền/));
  await userEvent.click(await topic(/2\.1/));
  expect(location.pathname + location.search).toBe('/m/helpDetail?p=1&c=0');
});

test('RT-17 the address opens an article and follows what is opened', async () => {
  history.replaceState(null, '', '/m/helpDetail?p=1&c=0');
  answerWith(answers);
  const { container } = renderScreen(<HelpDetailScreen />);
  expect(await screen.findByText('Đợi 5 phút.')).toBeVisible();
  expect(container.querySelector('script')).toBeNull();
  await userEvent.click(await topic(/2\.2/));
  expect(location.search).toBe('?p=1&c=1');
  expect(await screen.findByText('Mở Giới hạn.')).toBeVisible();
  expect(screen.queryByText('Đợi 5 phút.')).toBeNull();
  await userEvent.click(await topic(/2\.2/));
  expect(location.search).toBe('?p=1');
  await userEvent.click(await topic(/^3 ?Alone/));
  expect(location.search).toBe('?p=2');
});

test.each(['?p=99&c=1', '?p=-1', '?p=x', '?p=1&c=99', '?c=1', '?p=1e3'])(
  'RT-17 part: an address without its article shows the list: %s',
  async (query) => {
    history.replaceState(null, '', `/m/helpDetail${query}`);
    answerWith(answers);
    renderScreen(<HelpDetailScreen />);
    expect(await topic(/^1 ?Start/)).toBeVisible();
  },
);

test('OS-02 part: without topics it shows the empty state', async () => {
  answerWith({ ...homeAnswers, [list]: [] });
  renderScreen(<HelpScreen />);
  expect(await screen.findByText('No help topics yet')).toBeVisible();
});

test('ER-02 help part: a failed load can be repeated', async () => {
  const given: Record<string, unknown> = { ...answers, [list]: new Failing(500, 'system.error') };
  answerWith(given);
  renderScreen(<HelpScreen />);
  const retry = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
  given[list] = topics;
  await userEvent.click(retry);
  expect(await topic(/^1 ?Start/)).toBeVisible();
});

test('search finds articles without accents and opens them', async () => {
  answerWith(answers);
  renderScreen(<HelpScreen />);
  await topic(/^1 ?Start/);
  const field = screen.getByRole('searchbox');
  await userEvent.type(field, 'gioi han');
  expect(screen.getByText('1 found')).toBeVisible();
  await userEvent.clear(field);
  await userEvent.type(field, 'zzz');
  expect(screen.getByText('Nothing found')).toBeVisible();
  await userEvent.clear(field);
  await userEvent.type(field, 'CHUA VAO VI');
  await userEvent.click(screen.getByRole('button', { name: /Tiền chưa vào ví/ }));
  expect(location.pathname + location.search).toBe('/m/helpDetail?p=1&c=0');
});

test('titles come before texts in a search, and accents and Arabic marks do not count', () => {
  const found = searchHelp(
    [article('a', 'Khác', '<p>đổi mật khẩu</p>'), article('b', 'Đổi mật khẩu', '<p>x</p>')],
    'doi mat khau',
  );
  expect(found.map(({ topic: { code } }) => code)).toEqual(['b', 'a']);
  expect(searchHelp([article('u', 'رَقَم جمع', '')], 'رقم')).toHaveLength(1);
  expect(searchHelp(topics, '  ')).toEqual([]);
});

test('search reads the entities of sanitised articles', () => {
  const content = '<p>It&#39;s &#34;free&#34;&nbsp;&amp; &lt;fast&gt;.</p>';
  const find = (typed: string) => searchHelp([article('a', 'Fees', content)], typed);
  expect(find(`it's "free"`).map(({ snippet }) => snippet)).toEqual([`It's "free" & <fast>.`]);
  expect(find('39')).toEqual([]);
});

test('a vote is sent once, is kept, and can be changed', async () => {
  history.replaceState(null, '', '/m/helpDetail?p=1&c=0');
  let respond!: (value: unknown) => void;
  const requests = answerWith({
    ...answers,
    [vote]: () =>
      new Promise((resolve) => {
        respond = resolve;
      }),
  });
  const { unmount } = renderScreen(<HelpDetailScreen />);
  const question = within(await screen.findByRole('group', { name: 'Was this helpful?' }));
  await userEvent.dblClick(question.getByRole('button', { name: 'Yes' }));
  const sent = () => requests.filter(({ method }) => method === 'POST');
  await expect.poll(() => sent().length).toBe(1);
  const first = (await sent()[0]!.json()) as { visitor: string };
  expect(first).toMatchObject({ code: 'missing', helpful: true });
  expect(first.visitor).toMatch(/^[0-9a-f]{32}$/);
  await act(async () => respond({}));
  expect(await screen.findByText('Thank you for your answer.')).toBeVisible();
  unmount();
  renderScreen(<HelpDetailScreen />);
  expect(await screen.findByText('Thank you for your answer.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'No' }));
  await expect.poll(() => sent().length).toBe(2);
  expect(await sent()[1]!.json()).toEqual({
    code: 'missing',
    helpful: false,
    visitor: first.visitor,
  });
});

test('the bar leads to the chat if it is on, else to the contacts', async () => {
  answerWith(answers);
  const { unmount } = renderScreen(<HelpScreen />);
  const contact = await screen.findByRole('link', { name: 'Contact us' });
  expect(contact).toHaveAttribute('href', '/m/service');
  unmount();
  answerWith({
    ...answers,
    'GET /wps/system/whitelabel': { ...switches, flags: { CBS3: true } },
  });
  renderScreen(<HelpScreen />);
  expect(await screen.findByRole('link', { name: 'Chat now' })).toHaveAttribute('href', '/m/chat');
});
