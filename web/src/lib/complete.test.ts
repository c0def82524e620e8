import { expect, test } from 'vitest';

import { complete, completeAll } from './complete.ts';

type Card = { title: string; tags: string[]; at: number };
const blank: Card = { title: '', tags: [], at: 0 };

test.each([
  ['null', null, blank],
  ['no fields', {}, blank],
  ['some fields', { title: 'News' }, { title: 'News', tags: [], at: 0 }],
  ['null for a list', { title: 'News', tags: null }, { title: 'News', tags: [], at: 0 }],
  ['all fields', { title: 'News', tags: ['a'], at: 5 }, { title: 'News', tags: ['a'], at: 5 }],
  ['empty values', { title: '', tags: [], at: 0 }, blank],
  ['unknown fields', { more: 1 }, { ...blank, more: 1 }],
])('completes a response with %s', (_name, partial, full) => {
  expect(complete<Card>(blank, partial as Partial<Card> | null)).toEqual(full);
});

test('does not change the defaults', () => {
  complete<Card>(blank, { title: 'News' });
  expect(blank).toEqual({ title: '', tags: [], at: 0 });
});

test('a missing list is empty', () => {
  expect(completeAll<Card>(blank, undefined)).toEqual([]);
  expect(completeAll<Card>(blank, null)).toEqual([]);
  expect(completeAll<Card>(blank, [{}, { at: 1 }])).toEqual([blank, { ...blank, at: 1 }]);
});
