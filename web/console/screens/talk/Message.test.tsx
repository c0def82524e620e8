import { fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';

import { answerWith } from '../../../src/lib/testing/answers.ts';
import { renderScreen } from '../../testing/render.tsx';
import { feedbackRoutes } from './FeedbackScreens.tsx';
import { MessageForm } from './MessageForm.tsx';
import { messageRoutes } from './MessageScreens.tsx';

afterEach(() => vi.unstubAllGlobals());

const message = { id: '5', title: 'Hi', texts: {}, status: 'sent', version: 1 };

test('sending a message first shows the number of recipients', async () => {
  let body: unknown;
  answerWith({
    'POST /ops/v1/messages/preview': { members: 12 },
    'POST /ops/v1/messages': async (request: Request) => {
      body = await request.json();
      return message;
    },
  });
  const onSent = vi.fn();
  renderScreen(<MessageForm onSent={onSent} />, { permissions: ['message.send'] });
  const vietnamese = within(await screen.findByRole('group', { name: 'Vietnamese' }));
  await userEvent.type(screen.getByLabelText('Username'), 'demo88');
  await userEvent.type(vietnamese.getByLabelText('Title'), 'Hi');
  await userEvent.type(vietnamese.getByLabelText('Text (HTML)'), 'Text');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText('Members who will get it: 12')).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Send' }));
  await expect.poll(() => onSent.mock.calls.length).toBe(1);
  expect(body).toEqual({
    audience: 'member',
    member: 'demo88',
    promotional: false,
    texts: { vi: { title: 'Hi', body: 'Text' } },
  });
});

test('a message with a start is scheduled, and can be withdrawn before it reaches anybody', async () => {
  let body: unknown;
  const scheduled = {
    ...message,
    audience: 'all',
    status: 'scheduled',
    startsAt: new Date('2031-05-06T07:08').getTime(),
    endsAt: new Date('2031-05-07T07:08').getTime(),
  };
  answerWith({
    'POST /ops/v1/messages/preview': { members: 12 },
    'POST /ops/v1/messages': async (request: Request) => {
      body = await request.json();
      return scheduled;
    },
    'GET /ops/v1/messages/5': scheduled,
  });
  const form = renderScreen(<MessageForm onSent={vi.fn()} />, { permissions: ['message.send'] });
  const vietnamese = within(await screen.findByRole('group', { name: 'Vietnamese' }));
  await userEvent.type(screen.getByLabelText('Username'), 'demo88');
  await userEvent.type(vietnamese.getByLabelText('Title'), 'Hi');
  await userEvent.type(vietnamese.getByLabelText('Text (HTML)'), 'Text');
  fireEvent.change(screen.getByLabelText('Start'), { target: { value: '2031-05-06T07:08' } });
  fireEvent.change(screen.getByLabelText('End'), { target: { value: '2031-05-07T07:08' } });
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  const send = await screen.findByRole('dialog');
  await userEvent.click(within(send).getByRole('button', { name: 'Send' }));
  await expect
    .poll(() => body)
    .toMatchObject({
      startsAt: scheduled.startsAt,
      endsAt: scheduled.endsAt,
    });
  form.unmount();

  const { screen: MessageScreen } = messageRoutes.find(({ path }) => path === '/messages/:id')!;
  renderScreen(<Route path="/messages/:id" component={MessageScreen} />, {
    permissions: ['message.send'],
    address: '/messages/5',
  });
  expect(await screen.findByText('Scheduled')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
  const withdraw = await screen.findByRole('dialog');
  expect(within(withdraw).getByText('No member gets the message.')).toBeVisible();
});

test('a message with a half-typed start is not sent', async () => {
  answerWith({});
  renderScreen(<MessageForm onSent={vi.fn()} />, { permissions: ['message.send'] });
  const vietnamese = within(await screen.findByRole('group', { name: 'Vietnamese' }));
  await userEvent.type(screen.getByLabelText('Username'), 'demo88');
  await userEvent.type(vietnamese.getByLabelText('Title'), 'Hi');
  expect(screen.getByRole('button', { name: 'Send' })).toBeEnabled();
  const start = screen.getByLabelText('Start');
  // A browser reports a half-typed time as empty and bad.
  Object.defineProperty(start, 'validity', { configurable: true, value: { badInput: true } });
  fireEvent.blur(start);
  expect(await screen.findByText('Enter the date and the time, or clear the field.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled();
});

test('feedback is answered with its version', async () => {
  let body: unknown;
  const feedback = {
    id: '7',
    memberId: '1',
    member: 'demo88',
    category: 'game',
    content: '<b>It stops</b>',
    images: 0,
    status: 'open',
    createdAt: 1,
    version: 3,
  };
  answerWith({
    'GET /ops/v1/feedback/7': feedback,
    'POST /ops/v1/feedback/7/answer': async (request: Request) => {
      body = await request.json();
      return { ...feedback, status: 'answered' };
    },
  });
  const { screen: FeedbackScreen } = feedbackRoutes.find(({ path }) => path === '/feedback/:id')!;
  renderScreen(<Route path="/feedback/:id" component={FeedbackScreen} />, {
    permissions: ['message.send'],
    address: '/feedback/7',
  });
  expect(await screen.findByText('<b>It stops</b>')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Answer' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByLabelText(/Answer/), 'It is repaired.');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Answer' }));
  await expect.poll(() => body).toEqual({ version: 3, text: 'It is repaired.' });
});
