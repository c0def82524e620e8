import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { receiveChatEvent, type ChatMessage, type ChatView } from '../../api/chat.ts';
import { clearSession, startSession } from '../../api/session.ts';
import { sessionStore } from '../../lib/storage.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { clearScreen, renderScreen } from '../../lib/testing/screen.tsx';
import ChatScreen from './ChatScreen.tsx';

type Sent = { clientId: string; text: string };

const none: ChatView = {
  status: 'none',
  online: true,
  hours: { opens: '08:00', closes: '22:00' },
  position: 0,
  lastSeq: 0,
  read: 0,
  customerRead: 0,
  unread: 0,
  canRate: false,
  offline: false,
};

/** A server whose conversation the test changes. The responses to messages come from `receive`. */
function serve(chat: ChatView, receive: (sent: Sent, count: number) => unknown) {
  const sent: Sent[] = [];
  const stored: ChatMessage[] = [];
  const store = async (request: Request) => {
    const message = (await request.json()) as Sent;
    sent.push(message);
    return receive(message, sent.length);
  };
  answerWith({
    ...homeAnswers,
    'GET /wps/relay/CBS_launchChat': { chatUrl: '/m/chat' },
    'GET /wps/chat': () => ({ ...chat }),
    'GET /wps/chat/messages': () => ({ list: stored, more: false }),
    'POST /wps/chat/messages': store,
    'POST /wps/chat/offline': store,
  });
  return sent;
}

const message = ({ clientId, text }: Sent): ChatMessage => ({
  seq: 1,
  clientId,
  text,
  from: 'customer',
  kind: 'text',
  at: 1_700_000_000_000,
});

beforeEach(() => {
  sessionStore.clear();
  history.replaceState(null, '', '/m/chat');
  Element.prototype.scrollIntoView = () => {};
  startSession({
    token: 't',
    type: 0,
    userName: 'minhanh92',
    merchantCode: 'demo',
    firstTimeLogin: false,
  });
});

afterEach(async () => {
  await clearScreen();
  clearSession();
  vi.unstubAllGlobals();
});

test.each([500, 502, 503, 504])(
  'a message that met a failing server (%d) is sent again by itself, with the same id',
  async (status) => {
    const sent = serve({ ...none }, (each, count) =>
      count === 1 ? new Failing(status, 'system.error') : message(each),
    );
    const { cache } = renderScreen(<ChatScreen />);
    await userEvent.type(await screen.findByLabelText('Message'), 'hello{Enter}');
    expect(await screen.findByRole('button', { name: /Not sent/ })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
    act(() => receiveChatEvent(cache, 'chat'));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual(sent[0]);
    await waitFor(() => expect(screen.queryByRole('button', { name: /Not sent/ })).toBeNull());
  },
);

test('a refused message can be discarded', async () => {
  serve({ ...none }, () => new Failing(400, 'chat.empty'));
  renderScreen(<ChatScreen />);
  await userEvent.type(await screen.findByLabelText('Message'), 'hello{Enter}');
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(screen.queryByText('hello')).toBeNull();
  expect(sessionStore.get('chat-outgoing.member.minhanh92')).toBeNull();
});

test('a message that comes after closing time moves to the offline form', async () => {
  const chat = { ...none };
  const sent = serve(chat, (each) => {
    if (chat.online) {
      chat.online = false;
      return new Failing(422, 'chat.offline');
    }
    Object.assign(chat, { status: 'waiting', offline: true });
    return message(each);
  });
  renderScreen(<ChatScreen />);
  await userEvent.type(await screen.findByLabelText('Message'), 'hello{Enter}');
  expect(await screen.findByText(/Leave a message/)).toBeVisible();
  expect(screen.getByLabelText('Message')).toHaveValue('hello');
  expect(screen.queryByRole('button', { name: /Not sent/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText(/We have your message/)).toBeVisible();
  expect(sent.map(({ text }) => text)).toEqual(['hello', 'hello']);
  expect(screen.getByLabelText('Message')).toHaveValue('');
});

test('the typed text survives closing and opening', async () => {
  const chat = { ...none };
  serve(chat, message);
  const { cache } = renderScreen(<ChatScreen />);
  await userEvent.type(await screen.findByLabelText('Message'), 'hello');
  chat.online = false;
  act(() => receiveChatEvent(cache, 'chat'));
  expect(await screen.findByText(/Leave a message/)).toBeVisible();
  await userEvent.type(screen.getByLabelText('Message'), ' there');
  chat.online = true;
  act(() => receiveChatEvent(cache, 'chat'));
  await waitFor(() => expect(screen.queryByText(/Leave a message/)).toBeNull());
  expect(screen.getByLabelText('Message')).toHaveValue('hello there');
});

test('an offline form that was changed after a lost response is a new message', async () => {
  const sent = serve({ ...none, online: false }, () => {
    throw new TypeError('Failed to fetch');
  });
  renderScreen(<ChatScreen />);
  await userEvent.type(await screen.findByLabelText('Message'), 'call me');
  const send = async (count: number) => {
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(sent).toHaveLength(count));
    const button = screen.getByRole('button', { name: /Send/ });
    await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'));
  };
  await send(1);
  await send(2);
  expect(sent[1]).toEqual(sent[0]);
  await userEvent.type(screen.getByLabelText('Message'), ' at 9');
  await send(3);
  expect(sent[2]?.text).toBe('call me at 9');
  expect(sent[2]?.clientId).not.toBe(sent[0]?.clientId);
});
