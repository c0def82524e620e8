// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test, vi } from 'vitest';

import {
  listen,
  parseAppMessage,
  parseGameMessage,
  send,
  type AppMessage,
  type GameMessage,
} from './game-messages.ts';

const gameMessages: GameMessage[] = [
  {
    type: 'ready',
    title: 'Rồng Vàng',
    engine: 'slot',
    rtp: '96.20',
    provable: true,
    backdrop: '#2a0614',
  },
  { type: 'ready', title: 'Other', engine: 'x', rtp: null, provable: false, backdrop: null },
  { type: 'busy', busy: true },
  { type: 'round', roundId: 'h-1:2_3.4', stake: 10_000, win: 0 },
  { type: 'promise', commitment: 'ab'.repeat(32), clientSeed: 'own_1-x', nonce: 7 },
  { type: 'close' },
  { type: 'proof', roundId: 'r1' },
  { type: 'expired' },
  { type: 'failed' },
  { type: 'limit' },
  { type: 'limits' },
  { type: 'sheet', open: true },
  { type: 'preference', sound: false },
  { type: 'preference', sound: true, haptics: false },
];

const appMessages: AppMessage[] = [
  {
    type: 'settings',
    theme: 'dark',
    language: 'vi',
    sound: true,
    haptics: false,
    reducedMotion: false,
  },
  { type: 'pause', paused: true },
  { type: 'dismiss' },
  { type: 'jackpot', pool: null },
  {
    type: 'jackpot',
    pool: {
      amount: 3_700_000_123,
      seed: 1,
      cap: 2,
      sharePerMille: 0,
      unit: 0.05,
      parts: 9,
      most: 7,
    },
  },
  { type: 'room', limit: null },
  { type: 'room', limit: { kind: 'loss', period: 'week', amount: 25_000, left: 0 } },
  { type: 'balance', balance: 0.25 },
  { type: 'check', roundId: 'r9' },
];

test.each(gameMessages)('SE-10 schema part: accepts the game message %j', (message) => {
  expect(parseGameMessage({ fairground: 1, ...message })).toEqual(message);
  expect(parseAppMessage({ fairground: 1, ...message })).toBeNull();
});

test.each(appMessages)('SE-10 schema part: accepts the app message %j', (message) => {
  expect(parseAppMessage({ fairground: 1, ...message })).toEqual(message);
  expect(parseGameMessage({ fairground: 1, ...message })).toBeNull();
});

/** Returns the rows of a table in the vendors' guide, by message type. */
function guideRows(heading: string): Map<string, string> {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/vendor-guide.md'), 'utf8');
  const table = guide.split(`| ${heading} | fields |`)[1]?.split('\n\n')[0] ?? '';
  return new Map([...table.matchAll(/^\| `(\w+)` \|.*$/gm)].map(([row, type = '']) => [type, row]));
}

/** Returns the types of the messages that have a form. */
function formsOf(name: string): string[] {
  const source = readFileSync(join(import.meta.dirname, 'game-messages.ts'), 'utf8');
  const forms = new RegExp(`const ${name}: [^{]*\\{\\n(.*?)\\n\\};`, 's').exec(source)?.[1] ?? '';
  return [...forms.matchAll(/^ {2}(\w+): \{/gm)].map((match) => match[1] ?? '');
}

/** Returns the names of all fields of a message, including nested ones. */
const fieldsOf = (message: object): string[] =>
  [...JSON.stringify(message).matchAll(/"(\w+)":/g)].map((match) => match[1] ?? '');

test.each([
  ['from you', 'gameForms', gameMessages],
  ['from the app', 'appForms', appMessages],
])(
  'SE-10 schema part: the vendors’ guide documents every message %s and its fields',
  (heading, forms, messages) => {
    const rows = guideRows(heading);
    expect([...rows.keys()].toSorted()).toEqual(formsOf(forms).toSorted());
    expect(new Set(messages.map(({ type }) => type))).toEqual(new Set(rows.keys()));
    for (const { type, ...fields } of messages)
      for (const field of fieldsOf(fields)) expect(rows.get(type)).toContain(`\`${field}\``);
  },
);

const round = { fairground: 1, type: 'round', roundId: 'r1', stake: 1, win: 0 };
const ready = { fairground: 1, ...gameMessages[0] };

test.each([
  ['nothing', undefined],
  ['null', null],
  ['text', 'close'],
  ['a list', [{ fairground: 1, type: 'close' }]],
  ['no version', { type: 'close' }],
  ['another version', { fairground: 2, type: 'close' }],
  ['a version as text', { fairground: '1', type: 'close' }],
  ['no type', { fairground: 1 }],
  ['an unknown type', { fairground: 1, type: 'deposit' }],
  ['a type every object has', { fairground: 1, type: 'toString' }],
  ['a type that is not text', { fairground: 1, type: ['close'] }],
  ['an extra field', { fairground: 1, type: 'close', to: 'https://elsewhere.example' }],
  ['an extra field in a full one', { ...round, balance: 1 }],
  ['a missing field', { fairground: 1, type: 'round', roundId: 'r1', stake: 1 }],
  ['a flag as text', { fairground: 1, type: 'busy', busy: 'false' }],
  ['an amount as text', { ...round, win: '5' }],
  ['a negative amount', { ...round, stake: -1 }],
  ['an infinite amount', { ...round, win: Infinity }],
  ['NaN', { ...round, win: NaN }],
  ['an empty round', { ...round, roundId: '' }],
  ['a round with a slash', { ...round, roundId: '../x' }],
  ['a round that is too long', { ...round, roundId: 'x'.repeat(65) }],
  ['an empty title', { ...ready, title: '' }],
  ['a title that is too long', { ...ready, title: 'x'.repeat(101) }],
  ['a backdrop that is not a colour', { ...ready, backdrop: 'url(//elsewhere)' }],
  ['an RTP that is not a number', { ...ready, rtp: 'high' }],
])('SE-10 schema part: rejects %s as a game message', (_, data) => {
  expect(parseGameMessage(data)).toBeNull();
});

const settings = { fairground: 1, ...appMessages[0] };

test.each([
  ['an extra field', { ...settings, token: 't' }],
  ['an unknown theme', { ...settings, theme: 'neon' }],
  ['an invalid language', { ...settings, language: '<script>' }],
  ['a missing field', { fairground: 1, type: 'pause' }],
  ['a flag that is not a boolean', { fairground: 1, type: 'pause', paused: 1 }],
  ['a balance as text', { fairground: 1, type: 'balance', balance: '5' }],
  ['a negative balance', { fairground: 1, type: 'balance', balance: -1 }],
  ['a balance with a token', { fairground: 1, type: 'balance', balance: 5, token: 't' }],
])('SE-10 schema part: rejects %s as an app message', (_, data) => {
  expect(parseAppMessage(data)).toBeNull();
});

const origin = 'https://games.example';

function listenToFrame() {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  const window = frame.contentWindow as Window;
  const onMessage = vi.fn<(message: GameMessage) => void>();
  const stop = listen({ window: () => frame.contentWindow, origin }, parseGameMessage, onMessage);
  const post = (data: unknown, source: MessageEventSource | null = window, from = origin) =>
    dispatchEvent(new MessageEvent('message', { data, source, origin: from }));
  return { frame, onMessage, stop, post };
}

const close = { fairground: 1, type: 'close' };

test('SE-10 receives messages of its frame until it stops listening', () => {
  const { onMessage, stop, post } = listenToFrame();
  post(close);
  expect(onMessage).toHaveBeenCalledExactlyOnceWith({ type: 'close' });
  stop();
  post(close);
  expect(onMessage).toHaveBeenCalledOnce();
});

test('SE-10 ignores a wrong origin', () => {
  const { onMessage, stop, post } = listenToFrame();
  for (const wrong of ['https://games.example.evil', 'http://games.example', 'null', '', '*']) {
    post(close, undefined, wrong);
  }
  expect(onMessage).not.toHaveBeenCalled();
  stop();
});

test('SE-10 ignores another window of the right origin and a removed frame', () => {
  const { frame, onMessage, stop, post } = listenToFrame();
  post(close, window);
  post(close, null);
  const other = document.createElement('iframe');
  document.body.append(other);
  post(close, other.contentWindow);
  frame.remove();
  post(close, null);
  expect(onMessage).not.toHaveBeenCalled();
  stop();
});

test('SE-10 ignores a wrong shape or an extra field from the right frame', () => {
  const { onMessage, stop, post } = listenToFrame();
  post('close');
  post({ type: 'close' });
  post({ ...close, extra: true });
  expect(onMessage).not.toHaveBeenCalled();
  stop();
});

test('SE-10 sends a message to one origin only', () => {
  const peer = { postMessage: vi.fn<(message: unknown, origin: string) => void>() };
  send({ window: () => peer as unknown as Window, origin }, { type: 'pause', paused: true });
  expect(peer.postMessage).toHaveBeenCalledExactlyOnceWith(
    { fairground: 1, type: 'pause', paused: true },
    origin,
  );
  send({ window: () => null, origin }, { type: 'pause', paused: true });
});
