import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { renderScreen } from '../src/lib/testing/screen.tsx';
import { lottery } from './api.ts';
import { openCart, useCart } from './cart.ts';
import { setServerTime } from './clock.ts';
import { GamePage } from './GamePage.tsx';
import { findCurrency } from './price.ts';
import { savedNumbers, saveNumbers } from './saved.ts';
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
  vi.spyOn(lottery, 'plays').mockResolvedValue([plays.side, plays.two]);
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

const panel = (name: RegExp) => within(screen.getByRole('dialog', { name }));
const openSaved = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'My numbers' }));
  return panel(/^My numbers: /);
};

test('chosen numbers are saved on the device, added to the cart later, and forgotten', async () => {
  await openGame();
  let saved = await openSaved();
  expect(saved.getByText('Nothing saved yet')).toBeVisible();
  expect(saved.queryByRole('button', { name: 'Save the chosen numbers' })).toBeNull();
  await userEvent.click(saved.getByRole('button', { name: 'Close' }));

  await pressBig();
  saved = await openSaved();
  await userEvent.click(saved.getByRole('button', { name: 'Save the chosen numbers' }));
  await userEvent.click(saved.getByRole('button', { name: 'Save the chosen numbers' }));
  expect(saved.getAllByRole('listitem')).toHaveLength(1);
  expect(savedNumbers('1201')).toEqual([{ playCode: 'side', selection: 'big' }]);
  await userEvent.click(saved.getByRole('button', { name: 'Close' }));

  cleanup();
  await openGame();
  fireEvent.change(multiple(), { target: { value: '4' } });
  saved = await openSaved();
  await userEvent.click(saved.getByRole('button', { name: /^Big ?Add to the cart$/ }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(useCart.getState().tickets).toMatchObject([
    { playCode: 'side', selection: 'big', lines: 1, stake: 1000, multiple: 4 },
  ]);

  saved = await openSaved();
  await userEvent.click(saved.getByRole('button', { name: 'Forget these numbers' }));
  expect(saved.getByText('Nothing saved yet')).toBeVisible();
  expect(savedNumbers('1201')).toEqual([]);
});

test('only the numbers of the open play are listed, and forgetting one keeps the others', async () => {
  const all = [
    { playCode: 'side', selection: 'odd' },
    { playCode: 'two', selection: 'two-1-2' },
    { playCode: 'side', selection: 'no such side' },
    { playCode: 'side', selection: 'big' },
  ];
  for (const numbers of all) saveNumbers('1201', numbers);
  await openGame();
  const saved = await openSaved();
  const rows = () => saved.getAllByRole('listitem').map((row) => row.textContent);
  expect(rows()).toEqual([expect.stringMatching(/^Big/), expect.stringMatching(/^Odd/)]);
  await userEvent.click(saved.getAllByRole('button', { name: 'Forget these numbers' })[1]!);
  expect(rows()).toEqual([expect.stringMatching(/^Big/)]);
  expect(savedNumbers('1201')).toEqual(all.slice(1).toReversed());
});

test('a game keeps the 20 numbers that were saved last', () => {
  const numbers = Array.from({ length: 21 }, (_, n) => ({ playCode: 'lo2', selection: `${n}` }));
  for (const each of numbers) saveNumbers('1201', each);
  expect(savedNumbers('1201')).toEqual(numbers.slice(1).toReversed());
  expect(savedNumbers('1202')).toEqual([]);
});

async function openPaste() {
  await openGame();
  await userEvent.click(screen.getByRole('button', { name: 'Two numbers' }));
  await userEvent.click(screen.getByRole('button', { name: 'Paste' }));
  const paste = panel(/^Type or paste numbers$/);
  return {
    ...paste,
    write: (value: string) => fireEvent.change(paste.getByRole('textbox'), { target: { value } }),
    add: () => paste.getByRole('button', { name: /^Add/ }),
  };
}

test('pasted numbers become tickets with their multiples', async () => {
  const paste = await openPaste();
  expect(paste.add()).toBeDisabled();
  paste.write('1 2 x10\n3,4');
  expect(paste.add()).toHaveAccessibleName('Add 2 lines');
  await userEvent.click(paste.add());
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(useCart.getState().tickets).toMatchObject([
    { playCode: 'two', selection: 'two-1-2', lines: 1, stake: 1000, multiple: 10 },
    { playCode: 'two', selection: 'two-3-4', lines: 1, stake: 1000, multiple: 1 },
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Paste' }));
  expect(screen.getByRole('textbox', { name: /^One bet per line/ })).toHaveValue('');
});

test.each([
  ['7 8', '“7 8” does not fit this bet.'],
  ['1 2 3', '“1” does not fit this bet.'],
  ['two-1-2 two-2-1', '“two-2-1” is there twice.'],
  ['two-1-2 two-3-4 two-5-6', 'A bet can have at most 2 lines.'],
  ['x5', '“x5” must be x and a number from 1 to 9999, after the numbers.'],
  ['1 2 x0', '“x0” must be x and a number from 1 to 9999, after the numbers.'],
])('a pasted text that is no bet says why: %j', async (text, error) => {
  const { two } = plays;
  const limited = { ...two, stake: { ...two.stake, maxLines: 2 } };
  vi.spyOn(lottery, 'plays').mockResolvedValue([plays.side, limited]);
  const paste = await openPaste();
  paste.write(text);
  expect(paste.getByRole('alert')).toHaveTextContent(error);
  expect(paste.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
  expect(paste.add()).toBeDisabled();
  paste.write('1 2');
  expect(paste.queryByRole('alert')).toBeNull();
  expect(paste.add()).toBeEnabled();
});

test('pasted bets that do not fit into the cart stay in the panel', async () => {
  const paste = await openPaste();
  paste.write('1 2\n'.repeat(101));
  await userEvent.click(paste.add());
  expect(paste.getByRole('alert')).toHaveTextContent('The cart holds at most 100 tickets');
  expect(useCart.getState().tickets).toEqual([]);
  paste.write('1 2\n'.repeat(100));
  await userEvent.click(paste.add());
  expect(useCart.getState().tickets).toHaveLength(100);
});
