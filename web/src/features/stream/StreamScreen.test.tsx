import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { receiveStreamEvent, streamingPollMs } from '../../api/live-streams.ts';
import { clearSession, startSession } from '../../api/session.ts';
import { answerWith, Failing, sentTo } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { clearScreen, renderScreen } from '../../lib/testing/screen.tsx';
import { useToastStore } from '../../ui/toastStore.ts';
import { useStreamDrafts } from './drafts.ts';
import { retryDelayMs } from './playback.ts';
import StreamScreen from './StreamScreen.tsx';

type Handler = (event: string, data: { fatal: boolean }) => void;

const players = vi.hoisted(() => ({
  all: [] as { url: string; isDestroyed: boolean; fail: () => void }[],
}));

vi.mock('hls.js/light', () => ({
  default: class {
    static Events = { ERROR: 'error' };
    static isSupported = () => true;
    player = { url: '', isDestroyed: false, fail: () => {} };
    on(_: string, handler: Handler) {
      this.player.fail = () => handler('error', { fatal: true });
      players.all.push(this.player);
    }
    loadSource(url: string) {
      this.player.url = url;
    }
    attachMedia() {}
    destroy() {
      this.player.isDestroyed = true;
    }
  },
}));

const listed = {
  id: '7',
  name: 'Friendly match',
  host: 'Hà My',
  poster: '/m/stream/poster.webp',
  status: 'live',
  active: true,
  streaming: true,
  recorded: true,
  startsAt: 0,
  viewers: 3,
};

const game = {
  gameId: 'rng-1',
  nodeId: '1001',
  nodeName: 'Game 1',
  displayName: 'Jade Lantern',
  vassalage: 'JL',
  gameCategory: 'RNG',
  iconUrl: '/m/art/tiles/rng-1.webp',
  supportPlay: true,
};

const reactions = [
  { kind: 'heart', total: 0 },
  { kind: 'fire', total: 5 },
];
const shown = {
  ...listed,
  url: '/m/stream/stream.m3u8',
  chat: true,
  mutedUntil: 0,
  games: [game],
  reactions,
};
const line = (seq: number, text: string) => ({ seq, text, name: 'm***2', at: 1_700_000_000_000 });

function serve(stream: object = shown, more: Record<string, unknown> = {}) {
  return answerWith({
    ...homeAnswers,
    'GET /wps/liveStreams': { list: [listed] },
    'GET /wps/liveStreams/7': stream,
    'POST /wps/liveStreams/7/watch': { viewers: 4, reactions },
    'GET /wps/liveStreams/7/messages': {
      list: [line(1, '<script>alert(1)</script>'), line(2, 'Xin chào')],
      more: false,
    },
    ...more,
  });
}

const logIn = (type: number) =>
  startSession({
    token: 't',
    type,
    userName: 'minhanh92',
    merchantCode: 'demo',
    firstTimeLogin: false,
  });

beforeEach(() => {
  clearSession();
  useStreamDrafts.setState({}, true);
  players.all.length = 0;
  history.replaceState(null, '', '/m/liveStream?id=7');
  Element.prototype.scrollIntoView = () => {};
  vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('');
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue();
});

afterEach(async () => {
  await clearScreen();
  clearSession();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('OS-16 lists the streams, and says that the demo is a recording', async () => {
  history.replaceState(null, '', '/m/liveStream');
  serve();
  renderScreen(<StreamScreen />);
  const link = await screen.findByRole('link', { name: /Friendly match/ });
  expect(link).toHaveAttribute('href', '/m/liveStream?id=7');
  expect(link).toHaveTextContent('Recorded demo');
  expect(document.querySelectorAll('[data-caption]')).toHaveLength(1);
});

test('OS-16 list part: shows the empty state and the error state', async () => {
  history.replaceState(null, '', '/m/liveStream');
  serve(shown, { 'GET /wps/liveStreams': { list: [] } });
  renderScreen(<StreamScreen />);
  expect(await screen.findByText('No live streams now')).toBeVisible();
  await clearScreen();
  serve(shown, { 'GET /wps/liveStreams': new Failing(500, 'system.error') });
  renderScreen(<StreamScreen />);
  expect(await screen.findByRole('button', { name: /Load failed/ })).toBeVisible();
});

test('OS-16 plays the stream, with its games', async () => {
  serve();
  renderScreen(<StreamScreen />);
  await waitFor(() => expect(players.all[0]?.url).toBe('/m/stream/stream.m3u8'));
  const video = screen.getByLabelText('Friendly match');
  expect(video).toHaveProperty('muted', true);
  expect(video).toHaveProperty('loop', true);
  await userEvent.click(screen.getByRole('radio', { name: 'Games' }));
  expect(screen.getByRole('link', { name: /Game 1/ })).toHaveAttribute(
    'href',
    expect.stringContaining('/m/launchGame?vendor=JL'),
  );
});

test('OS-16 player part: a browser with its own HLS does not load hls.js', async () => {
  vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('maybe');
  serve();
  renderScreen(<StreamScreen />);
  const video = await screen.findByLabelText('Friendly match');
  await waitFor(() => expect(video).toHaveAttribute('src', '/m/stream/stream.m3u8'));
  expect(players.all).toHaveLength(0);
});

test('a cut stream shows the error and is loaded again by itself, and by the button', async () => {
  serve();
  renderScreen(<StreamScreen />);
  await waitFor(() => expect(players.all).toHaveLength(1));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  act(() => players.all[0]!.fail());
  expect(screen.getByRole('alert')).toHaveTextContent('The stream was interrupted');
  await act(() => vi.advanceTimersByTimeAsync(retryDelayMs(0)));
  vi.useRealTimers();
  await waitFor(() => expect(players.all).toHaveLength(2));
  expect(players.all[0]!.isDestroyed).toBe(true);
  expect(screen.queryByRole('alert')).toBeNull();
  act(() => players.all[1]!.fail());
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(players.all).toHaveLength(3));
});

test('the delay between attempts grows up to half a minute', () => {
  expect([0, 1, 2, 9].map(retryDelayMs)).toEqual([3_000, 6_000, 12_000, 30_000]);
});

test('script in a message is shown as text, and a visitor only reads', async () => {
  serve();
  renderScreen(<StreamScreen />);
  expect(await screen.findByText('<script>alert(1)</script>')).toBeVisible();
  expect(screen.queryByLabelText('Message')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Log in to write' }));
  expect(new URLSearchParams(location.search).get('return')).toBe('/m/liveStream?id=7');
});

test('messages arrive and hidden ones disappear by events', async () => {
  serve();
  const { cache } = renderScreen(<StreamScreen />);
  await screen.findByText('Xin chào');
  const receive = (event: string, data: object) =>
    act(() => receiveStreamEvent(cache, '7', { event, data: JSON.stringify(data) }));
  receive('message', line(3, 'new'));
  receive('message', line(3, 'new'));
  expect(await screen.findAllByText('new')).toHaveLength(1);
  receive('hidden', { seq: 2 });
  await waitFor(() => expect(screen.queryByText('Xin chào')).toBeNull());
});

test('a member writes; a refused text stays with its reason', async () => {
  logIn(0);
  let isFlood = true;
  const requests = serve(shown, {
    'POST /wps/liveStreams/7/messages': () =>
      isFlood ? new Failing(429, 'rate.limited') : { ...line(3, 'hello'), mine: true },
  });
  renderScreen(<StreamScreen />);
  const input = await screen.findByLabelText('Message');
  await userEvent.type(input, 'hello{Enter}');
  await waitFor(() => expect(useToastStore.getState().current?.kind).toBe('error'));
  expect(input).toHaveValue('hello');
  isFlood = false;
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText('You')).toBeVisible();
  expect(input).toHaveValue('');
  expect(sentTo(requests, 'POST /wps/liveStreams/7/messages')).toHaveLength(2);
});

test('a text that was changed after a lost response is sent as a new message', async () => {
  logIn(0);
  const sent: { clientId: string; text: string }[] = [];
  serve(shown, {
    'POST /wps/liveStreams/7/messages': async (request: Request) => {
      sent.push((await request.json()) as (typeof sent)[number]);
      throw new TypeError('Failed to fetch');
    },
  });
  renderScreen(<StreamScreen />);
  const input = await screen.findByLabelText('Message');
  await userEvent.type(input, 'one{Enter}');
  await waitFor(() => expect(sent).toHaveLength(1));
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  await userEvent.type(input, ' more{Enter}');
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[2]?.text).toBe('one more');
  expect(sent[2]?.clientId).not.toBe(sent[0]?.clientId);
});

test('a text that the server could not answer for is sent again with the same id', async () => {
  logIn(0);
  const ids: string[] = [];
  serve(shown, {
    'POST /wps/liveStreams/7/messages': async (request: Request) => {
      ids.push(((await request.json()) as { clientId: string }).clientId);
      return ids.length === 1
        ? new Failing(502, 'system.error')
        : { ...line(3, 'one'), mine: true };
    },
  });
  renderScreen(<StreamScreen />);
  await userEvent.type(await screen.findByLabelText('Message'), 'one{Enter}');
  await waitFor(() => expect(ids).toHaveLength(1));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send' })).toBeEnabled());
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(ids).toHaveLength(2));
  expect(ids[1]).toBe(ids[0]);
});

test('the typed text survives a look at the games and a pause of the chat', async () => {
  logIn(0);
  const stream = { ...shown };
  serve(stream);
  const { cache } = renderScreen(<StreamScreen />);
  await userEvent.type(await screen.findByLabelText('Message'), 'hello');
  await userEvent.click(screen.getByRole('radio', { name: 'Games' }));
  expect(screen.queryByLabelText('Message')).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'Chat' }));
  expect(screen.getByLabelText('Message')).toHaveValue('hello');
  const change = (chat: boolean) => {
    stream.chat = chat;
    act(() => receiveStreamEvent(cache, '7', { event: 'changed', data: '{}' }));
  };
  change(false);
  expect(await screen.findByText('The chat is closed now.')).toBeVisible();
  change(true);
  expect(await screen.findByLabelText('Message')).toHaveValue('hello');
});

test('a stream that ends while it is watched goes off the air without an event', async () => {
  const stream = { ...shown };
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  serve(stream);
  renderScreen(<StreamScreen />);
  expect(await screen.findByLabelText('Friendly match')).toBeVisible();
  Object.assign(stream, { status: 'off', streaming: false, url: '' });
  await act(() => vi.advanceTimersByTimeAsync(streamingPollMs));
  expect(await screen.findByText('The stream is not on air now.')).toBeVisible();
});

test('shows the viewers, reactions as they come, and marks messages of the house', async () => {
  logIn(0);
  const requests = serve(shown, {
    'POST /wps/liveStreams/7/reactions': { kind: 'fire', total: 6 },
  });
  const { cache } = renderScreen(<StreamScreen />);
  expect(await screen.findByText('4 watching')).toBeVisible();
  expect(sentTo(requests, 'POST /wps/liveStreams/7/watch')).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Fire 5' }));
  expect(await screen.findByRole('button', { name: 'Fire 6' })).toBeVisible();
  const receive = (event: string, data: object) =>
    act(() => receiveStreamEvent(cache, '7', { event, data: JSON.stringify(data) }));
  receive('reaction', { kind: 'heart', total: 2 });
  expect(await screen.findByRole('button', { name: 'Heart 2' })).toBeVisible();
  receive('message', { ...line(3, 'Welcome'), name: '', operator: true });
  expect(await screen.findByText('Moderator')).toBeVisible();
});

test.each([
  ['a trial member', 4, shown, 'Trial accounts only read this chat.'],
  ['a muted member', 0, { ...shown, mutedUntil: Date.now() + 3_600_000 }, /A message broke/],
  ['a closed chat', 0, { ...shown, chat: false }, 'The chat is closed now.'],
])('%s sees why there is no input', async (_, type, stream, reason) => {
  logIn(type);
  serve(stream);
  renderScreen(<StreamScreen />);
  expect(await screen.findByText(reason)).toBeVisible();
  expect(screen.queryByLabelText('Message')).toBeNull();
});

test('a stream that is not on air shows no player', async () => {
  serve({ ...shown, status: 'off', streaming: false, url: '', chat: false });
  renderScreen(<StreamScreen />);
  expect(await screen.findByText('The stream is not on air now.')).toBeVisible();
  expect(document.querySelector('video')).toBeNull();
});
