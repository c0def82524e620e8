import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';

import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { comeIn, show, sitting } from './testing.tsx';

beforeEach(comeIn);

test('PP-04 a stake that the server refused for a check of which this page had not heard brings it up', async () => {
  let dueAt: number | null = null;
  await show({
    'GET /wps/game/play': () => sitting({ realityCheck: { minutes: 30, dueAt } }),
  });
  await expect.poll(frame).not.toBeNull();
  gameSays(readyGame);
  dueAt = Date.now() - 1000;
  gameSays({ type: 'busy', busy: true });
  expect(screen.queryByRole('alertdialog')).toBeNull();
  gameSays({ type: 'busy', busy: false });
  expect(await screen.findByRole('alertdialog')).toBeDefined();
});

test('GL-03 a game that could not be opened is told at once, with a way to try again', async () => {
  await show();
  await expect.poll(frame).not.toBeNull();
  gameSays({ type: 'failed' });
  expect(await screen.findByText('The game did not start')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
  // One that stands after all is shown.
  gameSays(readyGame);
  await expect.poll(() => screen.queryByText('The game did not start')).toBeNull();
});
