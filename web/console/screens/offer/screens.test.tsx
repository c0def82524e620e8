import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';

import { answerWith, Failing } from '../../../src/lib/testing/answers.ts';
import { renderScreen } from '../../testing/render.tsx';
import { GamesScreen } from './games/GamesScreen.tsx';
import { RoundScreen } from './house/HouseScreens.tsx';
import { NewVendorScreen } from './vendors/VendorForm.tsx';

afterEach(() => vi.unstubAllGlobals());

const game = {
  id: '5',
  code: 'a1',
  name: 'Dragon',
  vendor: 'JL',
  vendorName: 'Jade',
  category: 'RNG',
  icon: '/m/a.webp',
  hotRank: 0,
  jackpot: false,
  enabled: true,
  maintenance: false,
  playable: true,
  status: 'enabled',
  version: 2,
};

test('starting the maintenance of a game first shows the change', async () => {
  let body: unknown;
  answerWith({
    'GET /ops/v1/catalogue': { vendors: [], categories: ['RNG'], games: 1, enabled: 1 },
    'GET /ops/v1/games': { list: [game], next: '' },
    'POST /ops/v1/games/5/maintenance': async (request: Request) => {
      body = await request.json();
      return {};
    },
  });
  renderScreen(<GamesScreen />, { permissions: ['catalogue.edit'] });
  await userEvent.click(await screen.findByRole('button', { name: 'Start maintenance' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog).toHaveTextContent('Yes: listed, but cannot be played');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Start maintenance' }));
  expect(await screen.findByText('Done: Start maintenance')).toBeVisible();
  expect(body).toEqual({ version: 2 });
});

test('a new vendor shows its key once', async () => {
  answerWith({ 'POST /ops/v1/vendors': { code: 'ACME', keyId: 'k1', key: 'secret-key' } });
  renderScreen(<NewVendorScreen />, { permissions: ['vendor.edit'] });
  await userEvent.type(screen.getByLabelText('Code'), 'ACME');
  await userEvent.type(screen.getByLabelText(/Games, one per line/), 'a1:RNG');
  await userEvent.click(screen.getByRole('button', { name: 'Create' }));
  expect(await screen.findByText('secret-key')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'I have stored it' }));
  expect(location.pathname).toBe('/console/vendors');
});

test('a stuck round shows what its repair pays, and the payment needs a code', async () => {
  let isConfirmed = false;
  answerWith({
    'GET /ops/v1/stuck/9': {
      id: '9',
      vendor: 'HOUSE',
      game: 'rng-001',
      player: 'p',
      currency: 'VND',
      stake: 1000,
      win: 5000,
      owed: 'win',
      code: 'ROUND_CLOSED',
      at: 1,
      actions: ['pay'],
      version: 1,
    },
    'POST /ops/v1/stuck/9/pay': () => (isConfirmed ? {} : new Failing(403, 'ops.confirm')),
    'POST /ops/v1/session/confirm': () => {
      isConfirmed = true;
      return { confirmedUntil: 1 };
    },
  });
  renderScreen(<Route path="/stuck/:id" component={RoundScreen} />, {
    permissions: ['house.repair'],
    address: '/stuck/9',
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Pay what is owed' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByRole('row', { name: /Member receives/ })).toHaveTextContent(
    /5[.,]000/,
  );
  await userEvent.click(within(dialog).getByRole('button', { name: 'Pay what is owed' }));
  await userEvent.type(await screen.findByLabelText('Code'), '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('Done: Pay what is owed')).toBeVisible();
});
