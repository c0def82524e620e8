import { fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { renderScreen } from '../src/lib/testing/screen.tsx';
import { lottery } from './api.ts';
import { openCart, useCart } from './cart.ts';
import { setServerTime } from './clock.ts';
import { GamePage } from './GamePage.tsx';
import { findCurrency } from './price.ts';
import { plays } from './testing.ts';
import type { Game, Numero } from './wire.ts';

const now = Date.now();
const numero: Numero = {
  numero: '20261118-0871',
  openTime: now - 10_000,
  closeTime: now + 3_600_000,
  drawTime: now + 3_700_000,
  serverTime: now,
  status: 'open',
};
const game: Game = {
  gameId: '1201',
  gameCode: 'k3-1',
  gameName: 'K3, 1 min',
  gameGroupId: '12',
  type: 'k3',
  period: 60,
  prizeModes: ['Elott'],
  ...numero,
};

beforeEach(() => {
  localStorage.clear();
  setServerTime(now);
  vi.spyOn(lottery, 'near').mockResolvedValue(numero);
  vi.spyOn(lottery, 'plays').mockResolvedValue([plays.side, plays.sum]);
  vi.spyOn(lottery, 'draws').mockResolvedValue({ list: [], next: '' });
  vi.spyOn(lottery, 'orders').mockResolvedValue({ list: [], next: '' });
  openCart('1201');
});

async function openGame(): Promise<void> {
  renderScreen(
    <GamePage game={game} currency={findCurrency('VND')} playType="ent" prizeMode="Elott" />,
  );
  await screen.findByRole('button', { name: /^Big ?1\.9/ });
}

const pressBig = () => userEvent.click(screen.getByRole('button', { name: /^Big ?1\.9/ }));
const add = () => screen.getByRole('button', { name: 'Add ticket' });
const multiple = () => screen.getByRole('textbox', { name: 'Multiple' });
const cart = () => within(screen.getByRole('dialog'));

async function openCartPanel(): Promise<void> {
  await pressBig();
  await userEvent.click(add());
  await userEvent.click(screen.getByRole('button', { name: 'Open cart' }));
}

test('a typed multiple is the multiple of the ticket', async () => {
  await openGame();
  await userEvent.clear(multiple());
  expect(multiple()).toHaveValue('');
  await userEvent.type(multiple(), '5');
  expect(multiple()).toHaveValue('5');
  await pressBig();
  await userEvent.click(add());
  expect(useCart.getState().tickets).toMatchObject([{ multiple: 5 }]);
  await userEvent.type(multiple(), '99999');
  await userEvent.tab();
  expect(multiple()).toHaveValue('9999');
  await userEvent.clear(multiple());
  await userEvent.tab();
  expect(multiple()).toHaveValue('1');
});

test('a typed number of draws is the length of the chase', async () => {
  await openGame();
  await openCartPanel();
  const draws = cart().getByRole('textbox', { name: 'Draws' });
  await userEvent.clear(draws);
  await userEvent.type(draws, '7');
  expect(draws).toHaveValue('7');
  expect(useCart.getState().chase.count).toBe(7);
});

test('an invalid stake adds no ticket, and the reason is shown', async () => {
  await openGame();
  await pressBig();
  await userEvent.click(screen.getByRole('button', { name: 'Other' }));
  const stake = screen.getByRole('textbox', { name: 'Stake per line' });
  await userEvent.clear(stake);
  await userEvent.type(stake, '2500');
  expect(add()).toBeDisabled();
  expect(screen.getByText('Check the stake')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Paste' })).toBeDisabled();
  await userEvent.clear(stake);
  await userEvent.type(stake, '3000');
  await userEvent.click(add());
  expect(useCart.getState().tickets).toMatchObject([{ stake: 3000 }]);
});

test('another section keeps the picks, the stake and the multiple', async () => {
  await openGame();
  await pressBig();
  await userEvent.click(screen.getByRole('button', { name: 'Other' }));
  const stake = () => screen.getByRole('textbox', { name: 'Stake per line' });
  fireEvent.change(stake(), { target: { value: '4000' } });
  fireEvent.change(multiple(), { target: { value: '6' } });
  await userEvent.click(screen.getByRole('button', { name: 'My bets' }));
  await screen.findByText('No bets here yet');
  await userEvent.click(screen.getByRole('button', { name: 'Bet' }));
  expect(stake()).toHaveValue('4000');
  expect(multiple()).toHaveValue('6');
  await userEvent.click(add());
  expect(useCart.getState().tickets).toMatchObject([
    { selection: 'big', stake: 4000, multiple: 6 },
  ]);
});

test('an order that is too large is not sent, and the cart says why', async () => {
  const sent = vi.spyOn(lottery, 'bet');
  await openGame();
  await openCartPanel();
  const field = (name: string) => cart().getByRole('textbox', { name });
  fireEvent.change(field('Draws'), { target: { value: '100' } });
  expect(cart().getByRole('button', { name: 'Place bet' })).toBeEnabled();
  fireEvent.change(field('Times the stake before'), { target: { value: '10' } });
  expect(cart().getByRole('alert')).toHaveTextContent(/at most 9999 times the stake/);
  expect(cart().getByRole('button', { name: 'Place bet' })).toBeDisabled();
  fireEvent.click(cart().getByRole('button', { name: 'Place bet' }));
  expect(screen.getByRole('dialog')).not.toHaveTextContent(/e\+|∞|NaN/);
  expect(sent).not.toHaveBeenCalled();
});
