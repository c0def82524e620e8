import { fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { answerWith } from '../src/lib/testing/answers.ts';
import { allowedDestinations, destinationOf, destinations } from './destinations.ts';
import { Shell } from './layout/Shell.tsx';
import { screenRoutes } from './screens/routes.ts';
import { renderConsole } from './testing/render.tsx';

const operator = { name: 'Vy', roles: ['risk'], permissions: ['member.read', 'kyc.review'] };

beforeEach(() => {
  answerWith({ 'GET /ops/v1/members': { list: [] } });
});

afterEach(() => vi.unstubAllGlobals());

test('each destination has its own path and key, a letter or a digit', () => {
  for (const field of ['path', 'key'] as const) {
    const all = destinations.map((destination) => destination[field]);
    expect(new Set(all).size).toBe(all.length);
  }
  expect(destinations.every(({ key }) => /^[a-z\d]$/.test(key))).toBe(true);
});

test('each screen has its own path and a destination', () => {
  const paths = screenRoutes.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.filter((path) => !destinationOf(path))).toEqual([]);
});

test('a destination contains the paths below it', () => {
  expect(destinationOf('/members/17')?.path).toBe('/members');
  expect(destinationOf('/membership')).toBeUndefined();
  expect(destinationOf('/')?.path).toBe('/');
});

test('operators see only the destinations that their permissions allow', () => {
  const paths = allowedDestinations(operator.permissions).map(({ path }) => path);
  expect(paths).toEqual(['/', '/tasks', '/kyc', '/approvals', '/members', '/protection']);
});

test('g and a letter open a screen, unless the screen is not allowed or the letter comes too late', async () => {
  renderConsole(<Shell operator={operator} />);
  await userEvent.keyboard('gm');
  expect(location.pathname).toBe('/console/members');
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Members');
  await userEvent.keyboard('gh');
  expect(location.pathname).toBe('/console/');
  await userEvent.keyboard('gw');
  expect(location.pathname).toBe('/console/');
  const press = (key: string, timeStamp: number) => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true });
    Object.defineProperty(event, 'timeStamp', { value: timeStamp });
    fireEvent(document.body, event);
  };
  press('g', 1000);
  press('m', 2501);
  expect(location.pathname).toBe('/console/');
});

test('the question mark opens the help, and the slash opens the search', async () => {
  renderConsole(<Shell operator={operator} />);
  await userEvent.keyboard('?');
  const help = await screen.findByRole('dialog', { name: 'Keyboard help' });
  expect(help).toHaveTextContent('gkIdentity checks');
  expect(help).not.toHaveTextContent('Withdrawals');
  await userEvent.keyboard('{Escape}');
  await userEvent.keyboard('/');
  const search = await screen.findByRole('textbox', { name: 'Search' });
  await userEvent.type(search, 'g?m');
  expect(search).toHaveValue('g?m');
  expect(location.pathname).toBe('/console/');
  await userEvent.click(await screen.findByText('Find members: g?m'));
  expect(location.pathname + location.search).toBe('/console/members?q=g%3Fm');
});

test('an unknown path and a path without permission show the same screen', () => {
  for (const address of ['/nowhere', '/settings']) {
    const { unmount } = renderConsole(<Shell operator={operator} />, address);
    expect(screen.getByText('There is no such screen, or you may not open it.')).toBeVisible();
    unmount();
  }
});
