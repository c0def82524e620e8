import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { comeIn, launched, show } from './testing.tsx';

const promise = {
  type: 'promise',
  commitment: '0123456789abcdef'.repeat(4),
  clientSeed: 'mine-1',
  nonce: 7,
};

async function framed(more: Record<string, unknown> = {}, origin = location.origin) {
  await show({ 'POST /wps/game/launchGame': { ...launched, ...more } });
  await expect.poll(frame).not.toBeNull();
  vi.spyOn(frame()!.contentWindow!, 'postMessage').mockImplementation(() => {});
  gameSays(readyGame, { origin });
  gameSays(promise, { origin });
  await waitFor(() =>
    expect(screen.getByLabelText('This session').textContent).toContain('20,000'),
  );
}

const openShield = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Fair play' }));
  return screen.findByRole('dialog', { name: 'Fair play' });
};

beforeEach(comeIn);

afterEach(() => vi.restoreAllMocks());

test('PP-17 the shield shows the next round’s commitment and number before the bet, to be copied', async () => {
  const user = userEvent.setup();
  await framed();
  const sheet = await openShield();
  expect(within(sheet).getByLabelText('Commitment').textContent.replaceAll(' ', '')).toBe(
    promise.commitment,
  );
  expect(within(sheet).getByLabelText('Number (nonce)').textContent).toBe('7');
  expect(within(sheet).getByLabelText('Client seed').textContent).toBe('mine-1');
  await user.click(within(sheet).getByRole('button', { name: 'Copy: Commitment' }));
  expect(await navigator.clipboard.readText()).toBe(promise.commitment);
  // Nothing was played here: there is no round to be checked, but any can be.
  expect(within(sheet).getByRole('button', { name: 'Check a result' })).toBeDefined();

  gameSays({ ...promise, commitment: 'f'.repeat(64), nonce: 8 });
  expect(within(sheet).getByLabelText('Number (nonce)').textContent).toBe('8');
});

test('PP-17 in part: the shield leads to the proof of the last round', async () => {
  await framed();
  gameSays({ type: 'round', roundId: 'r9', stake: 1, win: 0 });
  const sheet = await openShield();
  await userEvent.click(within(sheet).getByRole('button', { name: 'Check the last round' }));
  await expect
    .poll(() => location.pathname + location.search)
    .toBe('/m/fairness?vendor=JL&roundId=r9');
});

test('SE-10 what a game from outside promises is nothing that can be checked here', async () => {
  const origin = 'https://games.example';
  await framed({ gameUrl: `${origin}/play?t=1`, origin }, origin);
  expect(screen.queryByRole('button', { name: 'Fair play' })).toBeNull();
});
