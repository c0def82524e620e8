import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import InboxScreen from './InboxScreen.tsx';

const listCall = 'GET /wps/relay/EMFE_getInboxMessages';
const preferences = {
  choices: [],
  askedAt: 1,
  hasEmail: false,
  browsers: 0,
  pushKey: '',
};

type Item = { id: string; kind: string; title: string; preview: string; read: boolean };

function show(options: { items?: Item[]; list?: unknown; askedAt?: number } = {}) {
  let items = options.items ?? [
    { id: '2', kind: 'deposit.credited', title: 'Deposit credited', preview: '5', read: false },
    { id: '1', kind: 'operator', title: 'Hello', preview: 'Text', read: true },
  ];
  const answers: Record<string, unknown> = {
    ...homeAnswers,
    [listCall]:
      options.list ??
      ((request: Request) => {
        const isUnreadOnly = new URL(request.url).searchParams.get('unread') === 'true';
        const list = items.filter(({ read }) => !isUnreadOnly || !read);
        return { list: list.map((item) => ({ ...item, createdAt: Date.now() })), next: '' };
      }),
    'GET /wps/relay/EMFE_getInboxUnreadCount': () => ({
      inboxUnreadCount: items.filter(({ read }) => !read).length,
    }),
    'GET /wps/relay/EMFE_getInboxMessage': (request: Request) => {
      const id = new URL(request.url).searchParams.get('id');
      return id === '1'
        ? { id, kind: 'operator', title: 'Hello', html: '<p>Safe<img src=x onerror=alert(1)></p>' }
        : {
            id,
            kind: 'deposit.credited',
            title: 'Deposit credited',
            text: '5 VND',
            link: '/m/member/transactions',
          };
    },
    'POST /wps/relay/EMFE_markInboxMessageAsRead': async (request: Request) => {
      const { id } = (await request.json()) as { id: string };
      items = items.map((item) => (item.id === id ? { ...item, read: true } : item));
      return {};
    },
    'POST /wps/relay/EMFE_deleteReadInboxMessages': () => {
      items = items.filter(({ read }) => !read);
      return { deleted: 1 };
    },
    'GET /wps/member/notifications': { ...preferences, askedAt: options.askedAt ?? 1 },
    'PUT /wps/member/notifications': preferences,
  };
  const requests = answerWith(answers);
  renderScreen(<InboxScreen />);
  return { requests, answers };
}

beforeEach(() => {
  clearSession();
  history.replaceState(null, '', '/m/webEmail');
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
});

test('RT-33 part: opening a message shows it and marks it as read', async () => {
  show();
  expect(await screen.findByRole('button', { name: 'Unread (1)' })).toBeVisible();
  await userEvent.click(await screen.findByRole('button', { name: /Deposit credited/ }));
  expect(await screen.findByText('5 VND')).toBeVisible();
  expect(screen.getByRole('link', { name: 'See more' }).getAttribute('href')).toBe(
    '/m/member/transactions',
  );
  expect(await screen.findByRole('button', { name: 'Unread' })).toBeVisible();
});

test('a message opened among the unread stays until it is closed', async () => {
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Unread (1)' }));
  await expect.poll(() => screen.queryByRole('button', { name: /Hello/ })).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: /Deposit credited/ }));
  expect(await screen.findByRole('button', { name: 'Unread' })).toBeVisible();
  expect(await screen.findByText('5 VND')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: /Deposit credited/ }));
  expect(await screen.findByText('You have read them all.')).toBeVisible();
});

test('SE-06 part: the HTML of a message is sanitised when shown', async () => {
  show();
  await userEvent.click(await screen.findByRole('button', { name: /Hello/ }));
  expect(await screen.findByText('Safe')).toBeVisible();
  expect(document.querySelector('[onerror]')).toBeNull();
});

test('RT-33 part: read messages are deleted after a question', async () => {
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Delete read' }));
  const dialog = await screen.findByRole('alertdialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await expect.poll(() => screen.queryByRole('button', { name: /Hello/ })).toBeNull();
  expect(screen.getByRole('button', { name: /Deposit credited/ })).toBeVisible();
});

test('a message that is read and deleted among the unread does not stay', async () => {
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Unread (1)' }));
  await userEvent.click(await screen.findByRole('button', { name: /Deposit credited/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete read' }));
  const dialog = await screen.findByRole('alertdialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('You have read them all.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Deposit credited/ })).toBeNull();
});

test('an empty inbox says so', async () => {
  show({ items: [] });
  expect(await screen.findByText('No messages')).toBeVisible();
});

test('ER-02 part: an inbox that does not load can be tried again', async () => {
  const { answers } = show({ list: new Failing(503, 'system.unavailable') });
  const retry = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
  answers[listCall] = { list: [], next: '' };
  await userEvent.click(retry);
  expect(await screen.findByText('No messages')).toBeVisible();
});

test('the consent to promotions is asked once and sent for every way', async () => {
  const { requests } = show({ askedAt: 0 });
  await userEvent.dblClick(await screen.findByRole('button', { name: 'Yes, please' }));
  await expect.poll(() => screen.queryByText('May we tell you about promotions?')).toBeNull();
  const sent = requests.filter(({ method }) => method === 'PUT');
  expect(sent).toHaveLength(1);
  expect(await sent[0]?.json()).toEqual({
    choices: ['inbox', 'push', 'email'].map((way) => ({ topic: 'promotion', way, allowed: true })),
  });
});
