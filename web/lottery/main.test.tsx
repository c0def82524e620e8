import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { readLaunch } from './launch.ts';

let sent: unknown[];
const parent = { postMessage: (...message: unknown[]) => sent.push(message) };

beforeEach(() => {
  sent = [];
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window);
  document.body.innerHTML = '<div id="lottery"></div>';
  vi.resetModules();
});

afterEach(() => document.body.replaceChildren());

const path = '/m/lotto-h5/vn/trad/games/42?token=t1&merchant=demo&css=light&prize_mode=Lott';

test('GL-04 in part: the launch address names the game, the play type and the theme', () => {
  const read = (address: string) => readLaunch(new URL(address, location.origin));
  expect(read(path)).toEqual({
    gameId: '42',
    playType: 'trad',
    theme: 'light',
    language: '',
    wayBack: '/m/game',
  });
  expect(read('/m/lotto-h5/vn/ent/games/lobby?pageBack#theme=dark&lang=pt')).toEqual({
    gameId: 'lobby',
    playType: 'ent',
    theme: 'dark',
    language: 'pt',
    wayBack: '/m/home',
  });
  expect(read('/m/lotto-h5/vn/other/games/42')).toBeNull();
  expect(read('/m/lotto-h5/vn/ent/games/42/more')).toBeNull();
});

test('GL-05 in part: the page says that the game is not open, and its way back closes the frame', async () => {
  history.replaceState(null, '', `${path}#theme=light&lang=en`);
  await import('./main.tsx');
  expect(await screen.findByText('This game is not open yet')).toBeVisible();
  expect(document.documentElement).toHaveAttribute('data-theme', 'light');
  expect(document.documentElement).toHaveAttribute('lang', 'en');
  await userEvent.click(within(document.body).getByRole('button', { name: 'Back' }));
  expect(sent).toEqual([[{ fairground: 1, type: 'close' }, location.origin]]);
});

test('the page follows the theme and the language of the app', async () => {
  history.replaceState(null, '', path);
  await import('./main.tsx');
  await screen.findByRole('button');
  const settings = { theme: 'dark', language: 'ur', sound: true, haptics: true };
  const data = { fairground: 1, type: 'settings', ...settings, reducedMotion: false };
  const event = new MessageEvent('message', { data, origin: location.origin });
  Object.defineProperty(event, 'source', { value: parent });
  window.dispatchEvent(event);
  await expect.poll(() => document.documentElement.lang).toBe('ur');
  expect(document.documentElement).toHaveAttribute('dir', 'rtl');
  expect(document.documentElement).toHaveAttribute('data-theme', 'dark');
});
