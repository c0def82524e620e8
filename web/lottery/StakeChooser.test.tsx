import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';

import { renderScreen } from '../src/lib/testing/screen.tsx';
import { GameContextProvider } from './context.ts';
import { decimalsOf, findCurrency } from './price.ts';
import type { StakeChoice } from './stake.ts';
import { StakeChooser } from './StakeChooser.tsx';
import { plays } from './testing.ts';
import type { Game } from './wire.ts';

const game: Game = {
  gameId: '1201',
  gameCode: 'k3-1',
  gameName: 'K3, 1 min',
  gameGroupId: '12',
  type: 'k3',
  period: 60,
  prizeModes: ['Elott'],
  numero: '20261118-0871',
  openTime: 0,
  closeTime: 1,
  drawTime: 2,
  serverTime: 0,
};

/** Shows the stakes of a play in a currency, and returns the last choice. */
function show(code: string, limits: { unit: number; min: number; max: number }) {
  const currency = findCurrency(code);
  const context = {
    game,
    currency,
    decimals: decimalsOf(currency),
    prizeMode: 'Elott',
    playType: 'ent' as const,
  };
  const play = { ...plays.side, stake: { ...limits, maxLines: 1000 } };
  const last: { choice: StakeChoice } = { choice: { stake: limits.min, typed: null } };
  function Host() {
    const [choice, setChoice] = useState(last.choice);
    last.choice = choice;
    return (
      <GameContextProvider value={context}>
        <StakeChooser play={play} choice={choice} onChange={setChoice} />
      </GameContextProvider>
    );
  }
  renderScreen(<Host />);
  return last;
}

const field = () => screen.getByRole('textbox', { name: 'Stake per line' });

async function typeStake(text: string): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: 'Other' }));
  await userEvent.clear(field());
  await userEvent.type(field(), text);
}

test.each([
  ['BRL', { unit: 0.5, min: 0.5, max: 500 }, '2,50', 2.5, 'R$2.50'],
  ['VND', { unit: 1000, min: 1000, max: 10_000_000 }, '10.000', 10_000, '10,000\u00A0₫'],
  ['VND', { unit: 1000, min: 1000, max: 10_000_000 }, '1.000.000', 1_000_000, '1,000,000\u00A0₫'],
])('in %s, with %j, %j is a stake of %d, and the field shows %s', async (...example) => {
  const [currency, limits, text, stake, shown] = example;
  const last = show(currency, limits);
  await typeStake(text);
  expect(field()).toHaveValue(text);
  expect(field()).not.toHaveAttribute('aria-invalid');
  expect(field()).toHaveAccessibleDescription(shown);
  expect(last.choice).toEqual({ stake, typed: text });
});

test('an invalid stake stays in the field, with the allowed ones', async () => {
  const last = show('BRL', { unit: 0.5, min: 0.5, max: 500 });
  await typeStake('2,5000');
  expect(field()).toHaveValue('2,5000');
  expect(field()).toBeInvalid();
  expect(field()).toHaveAccessibleDescription('From R$0.50 to R$500, in steps of R$0.50');
  await userEvent.clear(field());
  expect(field()).toBeInvalid();
  await userEvent.type(field(), '4');
  expect(field()).not.toHaveAttribute('aria-invalid');
  expect(last.choice.stake).toBe(4);
});

test('an offered stake is an exact multiple of the minimum', async () => {
  const last = show('BRL', { unit: 0.1, min: 1.1, max: 500 });
  await userEvent.click(screen.getByRole('button', { name: 'R$55' }));
  expect(last.choice).toEqual({ stake: 55, typed: null });
});
