import { beforeEach, expect, test } from 'vitest';

import { localStore } from '../src/lib/storage.ts';
import { addTickets, openCart, useCart } from './cart.ts';
import { playerStore, setPlayer } from './player-store.ts';
import { lastOrder, saveLastOrder } from './saved.ts';

beforeEach(() => localStore.clear());

const ticket = {
  playCode: 'side',
  playType: 'ent' as const,
  selection: 'big',
  lines: 1,
  prizes: 1,
  stake: 1000,
  multiple: 1,
};

test('the next member on a device does not see the tickets and orders of the one before', () => {
  setPlayer('a');
  openCart('1201');
  addTickets([ticket], Date.now() + 60_000);
  const order = { requestId: 'r1' } as never;
  useCart.setState({ pending: order });
  saveLastOrder('1201', useCart.getState().tickets);
  playerStore.set('followed', '[{"orderId":"9","numeros":["20261118-0871"]}]');

  setPlayer('b');
  openCart('1201');
  expect(useCart.getState()).toMatchObject({ tickets: [], pending: null });
  expect(lastOrder('1201')).toEqual([]);
  expect(playerStore.get('followed')).toBeNull();

  setPlayer('a');
  openCart('1201');
  expect(useCart.getState()).toMatchObject({ tickets: [ticket], pending: order });
  expect(lastOrder('1201')).toEqual([ticket]);
});
