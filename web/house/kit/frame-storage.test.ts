// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';

import { chosenStake, saveChosenStake, savedSpots, saveSpots } from './frame-storage.ts';

beforeEach(() => localStorage.clear());

test('the chosen stake is remembered by game and currency, while it is offered', () => {
  saveChosenStake('dragon', 'VND', 20_000);
  expect(chosenStake('dragon', 'VND', [10_000, 20_000])).toBe(20_000);
  expect(chosenStake('dragon', 'VND', [10_000])).toBeNull();
  expect(chosenStake('dragon', 'FUN', [10_000, 20_000])).toBeNull();
  expect(chosenStake('tiger', 'VND', [10_000, 20_000])).toBeNull();
});

test('stakes by spot are remembered', () => {
  saveSpots('live-001', 'VND', { banker: 50_000 });
  expect(savedSpots('live-001', 'VND')).toEqual({ banker: 50_000 });
});

test.each(['{', 'null', '{"banker":"50000"}', '7'])(
  'unreadable stakes by spot are dropped: %s',
  (broken) => {
    localStorage.setItem('house.spots.live-001.VND', broken);
    expect(savedSpots('live-001', 'VND')).toEqual({});
  },
);
