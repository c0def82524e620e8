import { fireEvent, screen, waitFor } from '@testing-library/react';
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

function renderChats(path: string) {
  return renderScreen(
    <Switch>
      {chatRoutes.map(({ path: pattern, screen: Screen }) => (
        <Route key={pattern} path={pattern} component={Screen} />
      ))}
    </Switch>,
    { permissions: ['chat.answer'], address: path },
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
