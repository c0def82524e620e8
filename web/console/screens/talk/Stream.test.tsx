import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';

import { answerWith } from '../../../src/lib/testing/answers.ts';
import { renderScreen } from '../../testing/render.tsx';
import { streamRoutes } from './StreamScreens.tsx';
import { blankStream } from './StreamTypes.ts';

afterEach(() => vi.unstubAllGlobals());

const stream = {
  ...blankStream,
  id: '7',
  title: 'Match',
  status: 'live',
  names: { en: 'Match' },
  url: '/m/stream/stream.m3u8',
  streaming: true,
  version: 3,
};

const messages = {
  list: [
    { seq: 2, memberId: '5', username: 'minhanh92', text: '<b>bad</b>', at: 1, mutedUntil: 0 },
  ],
};

function openScreen(path: string, responses: Record<string, unknown>) {
  const bodies: Record<string, unknown> = {};
  const recordBody = (key: string) => async (request: Request) => {
    bodies[key] = await request.json();
    return stream;
  };
  answerWith({
    'GET /ops/v1/streams/7': stream,
    'GET /ops/v1/streams/7/messages': messages,
    ...Object.fromEntries(Object.keys(responses).map((key) => [key, recordBody(key)])),
  });
  const address = path.replace(':id', '7');
  const { screen: Screen } = streamRoutes.find((route) => route.path === path)!;
  renderScreen(<Route path={path} component={Screen} />, {
    permissions: ['content.edit', 'chat.answer'],
    address,
  });
  return bodies;
}

async function confirm(name: string) {
  await userEvent.click(await screen.findByRole('button', { name }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name }));
}

test('a live stream is created', async () => {
  const create = 'POST /ops/v1/streams';
  const bodies = openScreen('/streams/new', { [create]: stream });
  await userEvent.type(await screen.findByLabelText('English'), 'Match');
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
  await userEvent.type(screen.getByLabelText(/HLS address/), 'https://video.example/a.m3u8');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => bodies[create]).toBeDefined();
  expect(bodies[create]).toEqual({
    names: { en: 'Match' },
    host: '',
    url: 'https://video.example/a.m3u8',
    poster: '',
    games: [],
    active: true,
    recorded: false,
    chat: true,
    startsAt: 0,
    endsAt: 0,
  });
});

test('a stream is stopped with its version, and a message is hidden', async () => {
  const stop = 'POST /ops/v1/streams/7/stop';
  const hide = 'POST /ops/v1/streams/7/hide';
  const bodies = openScreen('/streams/:id', { [stop]: {}, [hide]: {} });
  expect(await screen.findByText('<b>bad</b>')).toBeVisible();
  await confirm('Stop');
  await expect.poll(() => bodies[stop]).toEqual({ version: 3 });
  await confirm('Hide');
  await expect.poll(() => bodies[hide]).toEqual({ seq: 2 });
});

test('a member is muted for a time', async () => {
  const mute = 'POST /ops/v1/streams/7/mute';
  const bodies = openScreen('/streams/:id', { [mute]: {} });
  await confirm('Mute');
  await expect.poll(() => bodies[mute]).toEqual({ seq: 2, minutes: 60 });
});

test('an operator writes to the viewers', async () => {
  const speak = 'POST /ops/v1/streams/7/messages';
  const bodies = openScreen('/streams/:id', { [speak]: {} });
  await userEvent.type(await screen.findByLabelText('Message'), 'Welcome{Enter}');
  await expect.poll(() => bodies[speak]).toEqual({ text: 'Welcome', clientId: expect.any(String) });
});

test('earlier messages are loaded on request', async () => {
  const line = (seq: number) => ({ ...messages.list[0], seq, text: `no. ${seq}` });
  answerWith({
    'GET /ops/v1/streams/7': stream,
    'GET /ops/v1/streams/7/messages': ({ url }: Request) =>
      new URL(url).searchParams.get('before') === '2'
        ? { list: [line(1)], more: false }
        : { list: [line(3), line(2)], more: true },
  });
  const { screen: Screen } = streamRoutes.find((route) => route.path === '/streams/:id')!;
  renderScreen(<Route path="/streams/:id" component={Screen} />, {
    permissions: ['chat.answer'],
    address: '/streams/7',
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Earlier messages' }));
  expect(await screen.findByText('no. 1')).toBeVisible();
  expect(screen.getByText('no. 3')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Earlier messages' })).toBeNull();
});
