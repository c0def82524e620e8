// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { framingOf, readAddress } from './frame.ts';

test('SE-10 a game of the House is framed with scripts and its origin, and nothing else', () => {
  expect(framingOf({ gameUrl: '/m/house/?t=abc', origin: '' })).toEqual({
    // How it looks at first is said there: it reads nothing of what the app has stored.
    src: `${location.origin}/m/house/?t=abc#theme=dark&lang=vi`,
    origin: location.origin,
    sandbox: 'allow-scripts allow-same-origin',
    own: true,
  });
});

test('SE-10 an outside game may use forms, on an origin of its own', () => {
  const framing = framingOf({
    gameUrl: 'https://games.example/play?t=abc',
    origin: 'https://games.example',
  });
  expect(framing).toMatchObject({
    origin: 'https://games.example',
    sandbox: 'allow-scripts allow-same-origin allow-forms',
    own: false,
  });
  expect(framing?.sandbox).not.toMatch(/top-navigation|popups|modals|pointer|downloads/);
});

test.each([
  ['nothing', '', ''],
  ['a script', 'javascript:alert(1)', ''],
  ['a script from outside', 'javascript:alert(1)', 'null'],
  ['data', 'data:text/html,x', 'null'],
  ['another part of this app as the House', '/m/member/home', ''],
  ['an outside page as the House', 'https://elsewhere.example/m/house/', ''],
  ['another origin than the one named', 'https://elsewhere.example/', 'https://games.example'],
  ['this origin as an outside one', `${location.origin}/m/house/`, location.origin],
  ['no address', 'http://', 'http://'],
])('SE-10 %s is not framed', (_, gameUrl, origin) => {
  expect(framingOf({ gameUrl, origin })).toBeNull();
});

test('GL-08 in part: an empty address is none', () => {
  expect(readAddress('')).toBeNull();
  expect(readAddress('https://games.example/')?.host).toBe('games.example');
});
