import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';

import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { logInMember, showGame, playReply } from './testing.tsx';

beforeEach(logInMember);

test('PP-04 a stake refused because of a reality check that this page has not loaded opens the check', async () => {
  let dueAt: number | null = null;
  await showGame({
    'GET /wps/game/play': () => playReply({ realityCheck: { minutes: 30, dueAt } }),
  });
  await expect.poll(frame).not.toBeNull();
  gameSays(readyGame);
  dueAt = Date.now() - 1000;
  gameSays({ type: 'busy', busy: true });
  expect(screen.queryByRole('alertdialog')).toBeNull();
  gameSays({ type: 'busy', busy: false });
  expect(await screen.findByRole('alertdialog')).toBeVisible();
});

test('GL-03 a game that reports a failure shows it at once, with a retry', async () => {
  await showGame();
  await expect.poll(frame).not.toBeNull();
  gameSays({ type: 'failed' });
  expect(await screen.findByText('The game did not start')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  // It may still become ready.
  gameSays(readyGame);
  await expect.poll(() => screen.queryByText('The game did not start')).toBeNull();
});
