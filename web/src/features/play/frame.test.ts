// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { frameSource, parseHttpUrl } from './frame.ts';

test('SE-10 a House game is framed with scripts and its origin, and nothing else', () => {
  expect(frameSource({ gameUrl: '/m/house/?t=abc', origin: '' })).toEqual({
    // The hash carries the initial theme and language, because games cannot read the app's storage.
    src: `${location.origin}/m/house/?t=abc#theme=dark&lang=vi`,
    origin: location.origin,
    sandbox: 'allow-scripts allow-same-origin',
    isHouseGame: true,
  });
});

test('SE-10 a vendor’s game may use forms, on a separate origin', () => {
  const source = frameSource({
    gameUrl: 'https://games.example/play?t=abc',
    origin: 'https://games.example',
  });
  expect(source).toMatchObject({
    origin: 'https://games.example',
    sandbox: 'allow-scripts allow-same-origin allow-forms',
    isHouseGame: false,
  });
  expect(source?.sandbox).not.toMatch(/top-navigation|popups|modals|pointer|downloads/);
});

test.each([
  ['an empty URL', '', ''],
  ['a script', 'javascript:alert(1)', ''],
  ['a vendor’s script', 'javascript:alert(1)', 'null'],
  ['data', 'data:text/html,x', 'null'],
  ['another page of this app as a House game', '/m/member/home', ''],
  ['a foreign page as a House game', 'https://elsewhere.example/m/house/', ''],
  ['another origin than declared', 'https://elsewhere.example/', 'https://games.example'],
  ['this origin as a vendor', `${location.origin}/m/house/`, location.origin],
  ['a URL without a host', 'http://', 'http://'],
])('SE-10 %s is not framed', (_, gameUrl, origin) => {
  expect(frameSource({ gameUrl, origin })).toBeNull();
});

test('GL-08 in part: an empty URL is rejected', () => {
  expect(parseHttpUrl('')).toBeNull();
  expect(parseHttpUrl('https://games.example/')?.host).toBe('games.example');
});

test('GL-04 GL-05 in part: the lottery’s page gets the theme, and what the launcher’s URL chooses', () => {
  const gameUrl = '/m/lotto-h5/2/ent/games/1201?token=t1&merchant=demo&prize_mode=Elott';
  const query = new URLSearchParams('playType=trad&prize_mode=ZY&mui=vn&pageBack=1');
  const source = frameSource({ gameUrl, origin: '' }, query);
  expect(source).toEqual({
    src: `${location.origin}/m/lotto-h5/vn/trad/games/1201?token=t1&merchant=demo&prize_mode=ZY&css=dark&pageBack=1#theme=dark&lang=vi`,
    origin: location.origin,
    sandbox: 'allow-scripts allow-same-origin',
    isHouseGame: true,
    wayBack: '/m/home',
  });
  const plain = frameSource(
    { gameUrl, origin: '' },
    new URLSearchParams('playType=../x&prize_mode=a%2Fb'),
  );
  expect(plain?.src).toContain(
    '/m/lotto-h5/2/ent/games/1201?token=t1&merchant=demo&prize_mode=Elott',
  );
  expect(plain?.wayBack).toBe('/m/game');
});
