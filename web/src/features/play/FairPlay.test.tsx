import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { logInMember, launched, showGame } from './testing.tsx';

const promise = {
  type: 'promise',
  commitment: '0123456789abcdef'.repeat(4),
  clientSeed: 'mine-1',
  nonce: 7,
};

async function openGame(more: Record<string, unknown> = {}, origin = location.origin) {
  await showGame({ 'POST /wps/game/launchGame': { ...launched, ...more } });
  await expect.poll(frame).not.toBeNull();
  const sent = vi.spyOn(frame()!.contentWindow!, 'postMessage').mockImplementation(() => {});
  gameSays(readyGame, { origin });
  gameSays(promise, { origin });
  await waitFor(() =>
    expect(screen.getByLabelText('This session').textContent).toContain('20,000'),
  );
  return sent;
}

const openShield = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Fair play' }));
  return screen.findByRole('dialog', { name: 'Fair play' });
};

beforeEach(logInMember);

afterEach(() => vi.restoreAllMocks());

test('PP-17 the fair play sheet shows the next round’s commitment and nonce before the bet, with copy buttons', async () => {
  const user = userEvent.setup();
  await openGame();
  const sheet = await openShield();
  expect(within(sheet).getByLabelText('Commitment').textContent.replaceAll(' ', '')).toBe(
    promise.commitment,
  );
  expect(within(sheet).getByLabelText('Number (nonce)').textContent).toBe('7');
  expect(within(sheet).getByLabelText('Client seed').textContent).toBe('mine-1');
  await user.click(within(sheet).getByRole('button', { name: 'Copy: Commitment' }));
  expect(await navigator.clipboard.readText()).toBe(promise.commitment);
  // No round has been played here, so the button opens the general check.
  expect(within(sheet).getByRole('button', { name: 'Check a result' })).toBeVisible();

  gameSays({ ...promise, commitment: 'f'.repeat(64), nonce: 8 });
  expect(within(sheet).getByLabelText('Number (nonce)').textContent).toBe('8');
});

test('PP-17 in part: the fair play sheet opens the proof of the last round inside the game', async () => {
  const sent = await openGame();
  gameSays({ type: 'round', roundId: 'r9', stake: 1, win: 0 });
  const sheet = await openShield();
  await userEvent.click(within(sheet).getByRole('button', { name: 'Check the last round' }));
  expect(sent).toHaveBeenCalledWith(
    { fairground: 1, type: 'check', roundId: 'r9' },
    location.origin,
  );
  expect(screen.queryByRole('dialog', { name: 'Fair play' })).toBeNull();
  expect(frame()).not.toBeNull();
});

test('SE-10 a vendor’s game has no fair play sheet', async () => {
  const origin = 'https://games.example';
  await openGame({ gameUrl: `${origin}/play?t=1`, origin }, origin);
  expect(screen.queryByRole('button', { name: 'Fair play' })).toBeNull();
});
