import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';

import { entryKey } from './layers.ts';
import { goBack, goHome, Link, navigate, ownPath, returnTo } from './router.tsx';

let now = 0;

beforeEach(() => {
  // Navigation is throttled, so each test starts much later.
  now += 10_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  history.replaceState(null, '', '/m/game');
});

test.each([
  ['/m/withdraw', '/m/withdraw'],
  ['/m/gameList?type=hot&vassalage=JL', '/m/gameList?type=hot&vassalage=JL'],
  ['/m/../wps/session/logout', null],
  ['//evil.example/m/home', null],
  ['/\\evil.example/m/', null],
  ['/m/\\..\\..//evil.example', null],
  ['/m/\u0009/evil.example', null],
  ['/m/..//evil.example', null],
  ['https://evil.example/m/home', null],
  ['javascript:alert(1)', null],
  ['/wps/events', null],
  ['', null],
  [null, null],
])('SE-08 login return, app part: %j leads to %j', (value, expected) =>
  expect(ownPath(value)).toBe(expected),
);

test('back without an earlier step of this app goes home', () => {
  const back = vi.spyOn(history, 'back');
  goBack();
  expect(location.pathname).toBe('/m/home');
  expect(back).not.toHaveBeenCalled();
});

test('back with an earlier step takes that step', () => {
  const back = vi.spyOn(history, 'back').mockImplementation(() => {});
  navigate('/m/help');
  goBack();
  expect(back).toHaveBeenCalledOnce();
});

test('replacing adds no step', () => {
  const back = vi.spyOn(history, 'back').mockImplementation(() => {});
  navigate('/m/help', { replace: true });
  goBack();
  expect(back).not.toHaveBeenCalled();
});

test('a link navigates inside the app, unless a new tab is requested', () => {
  render(<Link to="/m/help">Help</Link>);
  const link = screen.getByRole('link', { name: 'Help' });
  expect(link.getAttribute('href')).toBe('/m/help');
  expect(fireEvent.click(link, { ctrlKey: true })).toBe(true);
  expect(location.pathname).toBe('/m/game');
  expect(fireEvent.click(link)).toBe(false);
  expect(location.pathname).toBe('/m/help');
});

test('navigating to the current path adds no step', () => {
  const before = history.length;
  navigate('/m/game');
  expect(history.length).toBe(before);
  navigate('/m/help');
  expect(history.length).toBe(before + 1);
});

test('an entry keeps its key while only its query changes', () => {
  navigate('/m/gameList');
  const key = entryKey();
  navigate('/m/gameList?type=hot', { replace: true });
  expect(entryKey()).toBe(key);
  navigate('/m/help', { replace: true });
  expect(entryKey()).not.toBe(key);
});

test('returnTo the screen before takes a step back', () => {
  const back = vi.spyOn(history, 'back').mockImplementation(() => {});
  navigate('/m/login?return=%2Fm%2Fgame');
  returnTo('/m/game');
  expect(back).toHaveBeenCalledOnce();
});

test('returnTo another screen replaces the current step', () => {
  const back = vi.spyOn(history, 'back').mockImplementation(() => {});
  navigate('/m/login?return=%2Fm%2Fwithdraw');
  const before = history.length;
  returnTo('/m/withdraw');
  expect(back).not.toHaveBeenCalled();
  expect(location.pathname).toBe('/m/withdraw');
  expect(history.length).toBe(before);
});

test('a second tap is ignored while the first screen opens', () => {
  const back = vi.spyOn(history, 'back').mockImplementation(() => {});
  navigate('/m/help');
  goBack();
  now += 299;
  goBack();
  goHome();
  expect(back).toHaveBeenCalledOnce();
  expect(location.pathname).toBe('/m/help');
  now += 1;
  goBack();
  expect(back).toHaveBeenCalledTimes(2);
});

test('goHome takes a step back if home is before, and replaces the screen if not', () => {
  const back = vi.spyOn(history, 'back').mockImplementation(() => {});
  navigate('/m/home?category=RNG');
  navigate('/m/login');
  const before = history.length;
  goHome();
  expect(back).toHaveBeenCalledOnce();
  now += 1_000;
  navigate('/m/help', { replace: true });
  navigate('/m/login');
  goHome();
  expect(back).toHaveBeenCalledOnce();
  expect(location.pathname).toBe('/m/home');
  expect(history.length).toBe(before + 1);
});
