import { expect, test } from 'vitest';

import * as categoryCode from '../../api/categories.gen.ts';
import {
  categoryOf,
  isCategory,
  listKind,
  lobbyMenu,
  screenPath,
  servedCategories,
} from './categories.ts';

const vendor = (code: string, ...categories: string[]) => ({
  code,
  name: `${code} Games`,
  categories,
  sorting: 0,
  icon: '',
  maintenance: false,
});

const vendors = [
  vendor('PG', 'RNG', 'PVP'),
  vendor('JL', 'FISH', 'JL', 'RNG'),
  vendor('AV', 'ESPORTS'),
  vendor('ODD', 'BINGO', 'ELOTT'),
  vendor('HOUSE', 'ESPORTS', 'SPORTS', 'LIVE'),
  vendor('IMES', 'ESPORTS'),
  vendor('SV3', 'SPORTS', 'ESPORTS'),
  vendor('LOTT', 'LOTT'),
];

test('LB-01 the menu: HOT, FAV, JL, then what vendors serve; esports by provider IMES, SV3, AV', () => {
  const { entries, esports } = lobbyMenu(vendors);
  expect(entries.map(({ code }) => code).join(' ')).toBe(
    'HOT FAV JL RNG FISH LIVE PVP SPORTS LOTT ELOTT BINGO',
  );
  expect(esports.map((entry) => `${entry.code}/${entry.vendor}`)).toEqual([
    'ESPORTS/IMES',
    'ESPORTS/SV3',
    'ESPORTS/AV',
    // The House has no separate entry.
    'ESPORTS/undefined',
  ]);
});

test.each([
  ['of known providers only', ['AV', 'IMES'], ['IMES', 'AV']],
  ['of another provider only', ['ODD'], ['']],
  ['of known and other providers', ['ODD', 'SV3'], ['SV3', '']],
  ['without providers', [], []],
])('LB-01 in part: the entries of esports %s', (_, codes, expected) => {
  const { esports } = lobbyMenu(codes.map((code) => vendor(code, 'ESPORTS')));
  expect(esports.map((entry) => entry.vendor ?? '')).toEqual(expected);
});

test('what no vendor serves is not offered; HOT, FAV and JL always are', () => {
  const { entries, esports } = lobbyMenu([vendor('SV3', 'SPORTS')]);
  expect(entries.map(({ code }) => code).join(' ')).toBe('HOT FAV JL SPORTS');
  expect(esports).toEqual([]);
});

test('LB-02 in part: the list kind of each category', () => {
  expect(['HOT', 'FAV'].map(listKind)).toEqual(['home', 'home']);
  expect(['FISH', 'LIVE', 'RNG', 'PVP', 'JL'].map(listKind)).toEqual(Array(5).fill('vendor'));
  expect(['SPORTS', 'ESPORTS', 'LOTT', 'ALL', 'BINGO'].map(listKind)).toEqual(
    Array(5).fill('thirdParty'),
  );
});

test('LB-13 in part: every category of the specification is a list or a screen', () => {
  const neither = Object.values(categoryCode).filter(
    (code) => isCategory(code) === (screenPath(code) !== undefined),
  );
  expect(neither).toEqual([]);
  expect(screenPath('toString')).toBeUndefined();
});

test('a category that only the server knows has its code as its name', () => {
  expect(categoryOf('BINGO')).toEqual({ code: 'BINGO', art: 'all', name: 'BINGO' });
  expect(
    servedCategories([vendor('X', 'HOME', 'LIVESTREAM', 'BINGO')]).map(({ code }) => code),
  ).toEqual(['BINGO']);
});
