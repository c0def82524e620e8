import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { joined, receiveChatEvent, type ChatMessage } from '../../api/chat.ts';
import { clearSession, startSession } from '../../api/session.ts';
import { sessionStore } from '../../lib/storage.ts';
import { answerWith, Failing, sentTo } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { clearScreen, renderScreen } from '../../lib/testing/screen.tsx';
import ChatScreen from './ChatScreen.tsx';

const open = {
  status: 'open',
  online: true,
  hours: { opens: '00:00', closes: '00:00' },
  position: 0,
  operator: 'Thu Hà',
  lastSeq: 2,
  read: 0,
  customerRead: 0,
  unread: 0,
  canRate: false,
  offline: false,
};

const message = (seq: number, text: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  seq,
  text,
  from: 'customer',
  clientId: `c${seq}`,
  kind: 'text',
  at: 1_700_000_000_000,
  ...more,
});

/** A server with one conversation. Returns the requests. */
function serve(
  state: object | (() => object),
  messages: ChatMessage[],
  more: Record<string, unknown> = {},
) {
  return answerWith({
    ...homeAnswers,
    'GET /wps/relay/CBS_launchChat': { chatUrl: '/m/chat' },
    'GET /wps/chat': typeof state === 'function' ? state : () => state,
    'GET /wps/chat/messages': (request: Request) => {
      const { searchParams } = new URL(request.url);
      const after = Number(searchParams.get('after') ?? 0);
      return { list: messages.filter(({ seq }) => seq > after), more: false };
    },
    ...more,
  });
}

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

test('CA-15 CA-33 asks for the chat with its parameters and shows the messages as text', async () => {
  const requests = serve(open, [
    message(1, '<script>alert(1)</script>'),
    message(2, 'Xin chào', { from: 'operator', operator: 'Thu Hà' }),
  ]);
  renderScreen(<ChatScreen />);
  expect(await screen.findByText('<script>alert(1)</script>')).toBeVisible();
  expect(screen.getByText('Xin chào')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Thu Hà' })).toBeVisible();
  const [launch] = sentTo(requests, '/wps/relay/CBS_launchChat');
  const asked = new URL(launch?.url ?? '').searchParams;
  expect([...asked.keys()].toSorted()).toEqual(
    ['b2c', 'backUrl', 'headerColor', 'language', 'title'].toSorted(),
  );
});

test('CA-33 opens an external chat', async () => {
  const assign = vi.fn<(address: string) => void>();
  const { href, origin, pathname, search } = location;
  vi.stubGlobal('location', { href, origin, pathname, search, assign });
  answerWith({
    ...homeAnswers,
    'GET /wps/relay/CBS_launchChat': { chatUrl: 'https://chat.example/?b2c=1' },
  });
  renderScreen(<ChatScreen />);
  const link = await screen.findByRole('link', { name: /Open the live chat/ });
  expect(link).toHaveAttribute('href', 'https://chat.example/?b2c=1');
  expect(assign).toHaveBeenCalledWith('https://chat.example/?b2c=1');
});

test('a message that was lost is sent again with the same id, and shown once', async () => {
  const user = userEvent.setup();
  const messages = [message(1, 'one')];
  const ids: string[] = [];
  let isLost = true;
  serve(open, messages, {
    'POST /wps/chat/typing': {},
    'POST /wps/chat/messages': async (request: Request) => {
      const { clientId, text } = (await request.json()) as { clientId: string; text: string };
      if (!ids.includes(clientId)) messages.push(message(2, text, { clientId }));
      ids.push(clientId);
      if (!isLost) return messages.at(-1);
      isLost = false;
      throw new TypeError('Failed to fetch');
    },
  });
  renderScreen(<ChatScreen />);
  await user.type(await screen.findByLabelText('Message'), 'two{Enter}');
  await user.click(await screen.findByRole('button', { name: /Not sent/ }));
  await waitFor(() => expect(ids).toHaveLength(2));
  expect(new Set(ids).size).toBe(1);
  await waitFor(() => expect(screen.getAllByText('two')).toHaveLength(1));
  expect(screen.queryByRole('button', { name: /Not sent/ })).toBeNull();
});

test('unsent messages survive leaving the screen and are sent one at a time, in order', async () => {
  const user = userEvent.setup();
  const tried: string[] = [];
  const idOf = async (request: Request) =>
    ((await request.json()) as { clientId: string }).clientId;
  serve(open, [message(1, 'one')], {
    'POST /wps/chat/typing': {},
    'POST /wps/chat/messages': async (request: Request) => {
      tried.push(await idOf(request));
      throw new TypeError('Failed to fetch');
    },
  });
  renderScreen(<ChatScreen />);
  const input = await screen.findByLabelText('Message');
  await user.type(input, 'two{Enter}');
  await user.type(input, 'three{Enter}');
  await waitFor(() => expect(screen.getAllByRole('button', { name: /Not sent/ })).toHaveLength(2));
  await clearScreen();

  const sent: string[] = [];
  const answers: (() => void)[] = [];
  serve(open, [message(1, 'one')], {
    'POST /wps/chat/messages': async (request: Request) => {
      sent.push(await idOf(request));
      await new Promise<void>((resolve) => answers.push(resolve));
      return message(2, '');
    },
  });
  renderScreen(<ChatScreen />);
  expect(await screen.findByText('two')).toBeVisible();
  expect(screen.getByText('three')).toBeVisible();
  await waitFor(() => expect(answers).toHaveLength(1));
  expect(sent).toEqual([tried[0]]);
  answers[0]?.();
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.();
  await waitFor(() => expect(screen.queryByText('three')).toBeNull());
  expect(new Set(sent).size).toBe(2);
  expect(tried).toContain(sent[0]);
});

test('a retry keeps the name of a visitor', async () => {
  const user = userEvent.setup();
  clearSession();
  const names: unknown[] = [];
  answerWith({
    ...homeAnswers,
    'GET /wps/relay/CBS_launchChat': { chatUrl: '/m/chat' },
    'GET /wps/visitor/chat': { ...open, status: 'none' },
    'GET /wps/visitor/chat/messages': { list: [], more: false },
    'POST /wps/visitor/chat/messages': async (request: Request) => {
      names.push(((await request.json()) as { name?: string }).name);
      throw new TypeError('Failed to fetch');
    },
  });
  renderScreen(<ChatScreen />);
  await user.type(await screen.findByLabelText('Your name'), 'Lan');
  await user.type(screen.getByLabelText('Message'), 'hello{Enter}');
  await user.click(await screen.findByRole('button', { name: /Not sent/ }));
  await waitFor(() => expect(names).toEqual(['Lan', 'Lan']));
});

test('a message that arrived while the page was hidden is marked as read when it is shown', async () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const requests = serve({ ...open, unread: 1 }, [message(1, 'one', { from: 'operator' })], {
    'POST /wps/chat/read': {},
  });
  renderScreen(<ChatScreen />);
  await screen.findByText('one');
  expect(sentTo(requests, '/wps/chat/read')).toHaveLength(0);
  hidden.mockReturnValue(false);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(sentTo(requests, '/wps/chat/read')).toHaveLength(1));
  hidden.mockRestore();
});

test('an event reads only the messages after the last one', async () => {
  const messages = [message(1, 'one')];
  const requests = serve(open, messages);
  const { cache } = renderScreen(<ChatScreen />);
  await screen.findByText('one');
  messages.push(message(2, 'two', { from: 'operator' }));
  act(() => receiveChatEvent(cache, 'chat'));
  await screen.findByText('two');
  const last = sentTo(requests, 'GET /wps/chat/messages').at(-1);
  expect(new URL(last?.url ?? '').searchParams.get('after')).toBe('1');
});

test('shows the place in the queue, and asks for a rating at the end', async () => {
  serve({ ...open, status: 'waiting', position: 3 }, [message(1, 'one')]);
  renderScreen(<ChatScreen />);
  expect(await screen.findByText('You are number 3 in the queue.')).toBeVisible();
  await clearScreen();

  const user = userEvent.setup();
  const requests = serve({ ...open, status: 'closed', canRate: true }, [message(1, 'one')], {
    'POST /wps/chat/rate': open,
  });
  renderScreen(<ChatScreen />);
  await user.click(await screen.findByRole('radio', { name: '4 stars' }));
  await user.click(screen.getByRole('button', { name: 'Send rating' }));
  await waitFor(() => expect(sentTo(requests, '/wps/chat/rate')).toHaveLength(1));
});

test('a refused message stays with its reason, and the offline form replaces the input when closed', async () => {
  const user = userEvent.setup();
  serve(open, [message(1, 'one')], {
    'POST /wps/chat/typing': {},
    'POST /wps/chat/messages': new Failing(429, 'rate.limited'),
  });
  renderScreen(<ChatScreen />);
  await user.type(await screen.findByLabelText('Message'), 'spam{Enter}');
  expect(await screen.findByRole('button', { name: /Not sent/ })).toBeVisible();
  expect(screen.getByText('spam')).toBeVisible();
  await clearScreen();

  const requests = serve({ ...open, status: 'none', online: false }, [], {
    'POST /wps/chat/offline': message(1, 'call me'),
  });
  renderScreen(<ChatScreen />);
  await user.type(await screen.findByLabelText('Message'), 'call me');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(sentTo(requests, '/wps/chat/offline')).toHaveLength(1));
});

test('joins messages by their number, without doubles and in order', () => {
  const history = { list: [message(2, 'b')], hasEarlier: true };
  const all = joined(history, [message(3, 'c'), message(2, 'b'), message(1, 'a')]);
  expect(all.list.map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test('a chat ends only after a question', async () => {
  let state: object = open;
  const requests = serve(() => state, [message(1, 'one')], {
    'POST /wps/chat/close': () => {
      state = { ...open, status: 'closed' };
      return {};
    },
  });
  renderScreen(<ChatScreen />);
  const end = () => screen.findByRole('button', { name: 'End chat' });
  await userEvent.click(await end());
  await userEvent.click(await screen.findByRole('button', { name: 'Keep chatting' }));
  await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull();
  expect(sentTo(requests, 'POST /wps/chat/close')).toHaveLength(0);
  await userEvent.click(await end());
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByText('End chat'));
  await expect.poll(() => sentTo(requests, 'POST /wps/chat/close').length).toBe(1);
});

const operatorIsTyping = 'Thu Hà is typing';

test('the screen shows that the operator is typing, until the message arrives', async () => {
  const messages = [message(1, 'one')];
  serve(open, messages);
  const { cache } = renderScreen(<ChatScreen />);
  await screen.findByText('one');
  expect(screen.queryByRole('status', { name: operatorIsTyping })).toBeNull();
  act(() => receiveChatEvent(cache, 'chat.typing'));
  expect(await screen.findByRole('status', { name: operatorIsTyping })).toBeVisible();
  messages.push(message(2, 'two', { from: 'operator' }));
  act(() => receiveChatEvent(cache, 'chat'));
  await screen.findByText('two');
  expect(screen.queryByRole('status', { name: operatorIsTyping })).toBeNull();
});

test('an operator who stopped typing is no longer shown as typing after five seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    serve(open, [message(1, 'one')]);
    const { cache } = renderScreen(<ChatScreen />);
    await screen.findByText('one');
    act(() => receiveChatEvent(cache, 'chat.typing'));
    await screen.findByRole('status', { name: operatorIsTyping });
    await act(() => vi.advanceTimersByTimeAsync(7_000));
    expect(screen.queryByRole('status', { name: operatorIsTyping })).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test('messages that the operator has read have another mark than messages that were only sent', async () => {
  let state = { ...open, read: 1 };
  serve(
    () => state,
    [message(1, 'one'), message(2, 'two'), message(3, 'three', { from: 'operator' })],
  );
  const { cache } = renderScreen(<ChatScreen />);
  const marks = async (text: string) => {
    const row = (await screen.findByText(text)).closest('li')!;
    return ['Read', 'Sent'].filter((mark) => within(row).queryByText(mark));
  };
  expect(await marks('one')).toEqual(['Read']);
  expect(await marks('two')).toEqual(['Sent']);
  expect(await marks('three')).toEqual([]);
  state = { ...open, read: 2 };
  act(() => receiveChatEvent(cache, 'chat'));
  await expect.poll(() => marks('two')).toEqual(['Read']);
});
