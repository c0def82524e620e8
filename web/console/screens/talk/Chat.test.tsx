import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Route, Switch } from 'wouter';

import { answerWith, sentTo } from '../../../src/lib/testing/answers.ts';
import { renderScreen } from '../../testing/render.tsx';
import { chatRoutes } from './ChatRoutes.ts';

beforeEach(() => {
  Element.prototype.scrollIntoView = () => {};
});
afterEach(() => vi.unstubAllGlobals());

const chat = {
  id: '7',
  status: 'open',
  name: 'Lan',
  verified: false,
  offline: false,
  language: 'vi',
  mine: true,
  unread: 1,
  preview: 'xin chào',
  lastSeq: 2,
  customerRead: 0,
  rating: 0,
  queuedAt: 1,
  updatedAt: 2,
  version: 3,
  notes: [{ operator: 'thuha', text: 'khách quen', at: 5 }],
  ratings: [],
};

const responses = {
  'GET /ops/v1/chats': { list: [chat], next: '' },
  'GET /ops/v1/chats/7': chat,
  'GET /ops/v1/chats/7/messages': {
    list: [
      { seq: 1, from: 'system', clientId: '1', kind: 'event', text: 'started', at: 1 },
      { seq: 2, from: 'customer', clientId: 'a', kind: 'text', text: '<b>xin chào</b>', at: 2 },
    ],
    more: false,
  },
  'GET /ops/v1/replies': {
    list: [{ id: '1', title: 'Chào', texts: { vi: 'Chào bạn' }, updatedAt: 1, version: 1 }],
  },
  'POST /ops/v1/chats/7/read': {},
  'POST /ops/v1/chats/7/typing': {},
  'POST /ops/v1/chats/7/messages': { seq: 3 },
};

function renderChats(path: string, permissions: readonly string[] = ['chat.answer']) {
  return renderScreen(
    <Switch>
      {chatRoutes.map(({ path: pattern, screen: Screen }) => (
        <Route key={pattern} path={pattern} component={Screen} />
      ))}
    </Switch>,
    { permissions, address: path },
  );
}

test('shows a conversation as text with notes, and marks it as read', async () => {
  const requests = answerWith(responses);
  renderChats('/chats/7');
  expect(await screen.findByText('<b>xin chào</b>')).toBeVisible();
  expect(screen.getByText('Not verified')).toBeVisible();
  expect(screen.getByText('khách quen')).toBeVisible();
  await waitFor(() => expect(sentTo(requests, '/ops/v1/chats/7/read')).toHaveLength(1));
});

test('keeps every message of a long chat when new ones arrive', async () => {
  let lastSeq = 60;
  const pageSize = 50;
  answerWith({
    ...responses,
    'GET /ops/v1/chats/7/messages': ({ url }: Request) => {
      const asked = new URL(url).searchParams;
      const after = Number(asked.get('after') ?? 0);
      const before = Math.min(Number(asked.get('before') ?? lastSeq + 1), lastSeq + 1);
      const seqs = Array.from({ length: lastSeq }, (_, index) => index + 1).filter(
        (seq) => seq > after && seq < before,
      );
      const part = asked.has('before') ? seqs.slice(-pageSize) : seqs.slice(0, pageSize);
      return {
        list: part.map((seq) => ({
          seq,
          from: 'customer',
          clientId: `${seq}`,
          kind: 'text',
          text: `no. ${seq}`,
          at: seq,
        })),
        more: part.length < seqs.length,
      };
    },
  });
  renderChats('/chats/7');
  await userEvent.click(await screen.findByRole('button', { name: 'Earlier messages' }));
  expect(await screen.findByText('no. 1')).toBeVisible();
  lastSeq = 130;
  await userEvent.type(screen.getByLabelText('Message'), 'Chào{Enter}');
  await screen.findByText('no. 130');
  expect(screen.getAllByText(/^no\./)).toHaveLength(130);
});

test('sends a reply with a client id', async () => {
  const requests = answerWith(responses);
  renderChats('/chats/7');
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Message'), 'Chào bạn{Enter}');
  await waitFor(() => expect(sentTo(requests, 'POST /ops/v1/chats/7/messages')).toHaveLength(1));
  const [sent] = sentTo(requests, 'POST /ops/v1/chats/7/messages');
  expect(await sent?.json()).toMatchObject({ text: 'Chào bạn', clientId: expect.any(String) });
});

test('a picture that got no response keeps its id when it is sent again', async () => {
  answerWith(responses);
  const answer = globalThis.fetch;
  let isDown = true;
  vi.stubGlobal('fetch', (request: Request) => {
    if (!request.url.endsWith('/images')) return answer(request);
    return isDown ? Promise.reject(new TypeError('Failed to fetch')) : Response.json({ value: {} });
  });
  const append = vi.spyOn(FormData.prototype, 'append');
  const sentIds = () =>
    append.mock.calls.filter(([name]) => name === 'clientId').map(([, id]) => id);
  renderChats('/chats/7');
  await screen.findByLabelText('Message');
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
  const picture = new File(['x'], 'slip.png', { type: 'image/png', lastModified: 1 });
  fireEvent.change(input, { target: { files: [picture] } });
  expect(await screen.findByRole('alert')).toBeVisible();
  isDown = false;
  fireEvent.change(input, { target: { files: [picture] } });
  await waitFor(() => expect(sentIds()).toHaveLength(2));
  const [first, again] = sentIds();
  expect(again).toBe(first);
});

const message = () => screen.findByLabelText<HTMLTextAreaElement>('Message');

test.each([
  {
    title: "in the customer's language",
    texts: { en: 'Hello', vi: 'Chào bạn' },
    typed: '',
    text: 'Chào bạn',
  },
  {
    title: 'in another language if it has none in that of the customer',
    texts: { en: 'Hello' },
    typed: '',
    text: 'Hello',
  },
  {
    title: 'below what the operator has typed',
    texts: { vi: 'Chào bạn' },
    typed: 'Một phút nhé.',
    text: 'Một phút nhé.\nChào bạn',
  },
])('a saved reply is inserted $title, and sent only by the operator', async (row) => {
  const requests = answerWith({
    ...responses,
    'GET /ops/v1/chats/71': { ...chat, id: '71' },
    'GET /ops/v1/chats/71/messages': { list: [], more: false },
    'POST /ops/v1/chats/71/typing': {},
    'POST /ops/v1/chats/71/messages': { seq: 1 },
    'GET /ops/v1/replies': {
      list: [
        { id: '1', title: 'Chào', texts: row.texts, updatedAt: 1, version: 1 },
        { id: '2', title: 'Tạm biệt', texts: { vi: 'Hẹn gặp lại' }, updatedAt: 1, version: 1 },
      ],
    },
  });
  renderChats('/chats/71');
  const field = await message();
  if (row.typed) await userEvent.type(field, row.typed);
  await userEvent.click(screen.getByRole('combobox', { name: 'Saved replies' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Chào', hidden: true }));
  expect(field).toHaveValue(row.text);
  const sent = () => sentTo(requests, 'POST /ops/v1/chats/71/messages');
  expect(sent()).toHaveLength(0);
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(field).toHaveValue(''));
  expect(await sent()[0]?.json()).toMatchObject({ text: row.text });
});

const member = {
  id: '21',
  username: 'lan2024',
  realName: 'Nguyen Lan',
  status: 'active',
  vipLabel: 'VIP 2',
  currency: 'VND',
  createdAt: 1,
};

test('the card of the member is next to the chat, for operators who may read members', async () => {
  const requests = answerWith({
    ...responses,
    'GET /ops/v1/chats/7': { ...chat, memberId: '21', verified: true },
    'GET /ops/v1/members/21': member,
  });
  const { unmount } = renderChats('/chats/7', ['chat.answer', 'member.read']);
  const link = await screen.findByRole('link', { name: 'lan2024' });
  expect(link).toHaveAttribute('href', '/console/members/21');
  const card = within(link.closest<HTMLElement>('.mantine-Card-root')!);
  for (const text of ['Nguyen Lan', 'VIP 2', 'VND']) expect(card.getByText(text)).toBeVisible();
  expect(screen.getByText('Logged in')).toBeVisible();
  unmount();

  requests.length = 0;
  renderChats('/chats/7');
  expect(await screen.findByText('<b>xin chào</b>')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'lan2024' })).toBeNull();
  expect(sentTo(requests, '/ops/v1/members/21')).toHaveLength(0);
});

test('each chat keeps its unsent text while the operator answers several', async () => {
  const second = { ...chat, id: '8', name: 'Minh', unread: 2, preview: 'alô' };
  const requests = answerWith({
    ...responses,
    'GET /ops/v1/chats': ({ url }: Request) => ({
      list: new URL(url).searchParams.get('state') === 'open' ? [chat, second] : [],
      next: '',
    }),
    'GET /ops/v1/chats/8': second,
    'GET /ops/v1/chats/8/messages': { list: [], more: false },
    'POST /ops/v1/chats/8/typing': {},
    'POST /ops/v1/chats/8/messages': { seq: 1 },
  });
  renderChats('/chats/7');
  const openChat = async (name: RegExp) => {
    await userEvent.click(await screen.findByRole('link', { name }));
    await screen.findByRole('heading', { name, level: 2 });
    return message();
  };
  await userEvent.type(await message(), 'cho Lan');
  const field = await openChat(/^Minh/);
  expect(field).toHaveValue('');
  await userEvent.type(field, 'cho Minh');
  expect(await openChat(/^Lan/)).toHaveValue('cho Lan');
  await userEvent.type(await openChat(/^Minh/), '{Enter}');
  await waitFor(() => expect(sentTo(requests, 'POST /ops/v1/chats/8/messages')).toHaveLength(1));
  expect(sentTo(requests, 'POST /ops/v1/chats/7/messages')).toHaveLength(0);
  expect(await openChat(/^Lan/)).toHaveValue('cho Lan');
  expect(await openChat(/^Minh/)).toHaveValue('');
});
