import { expect, test } from 'vitest';

import { complete, completeAll } from './complete.ts';

type Card = { title: string; tags: string[]; at: number };
const blank: Card = { title: '', tags: [], at: 0 };

test.each([
  ['nothing at all', null, blank],
  ['nothing in it', {}, blank],
  ['half of it', { title: 'News' }, { title: 'News', tags: [], at: 0 }],
  ['null for a list', { title: 'News', tags: null }, { title: 'News', tags: [], at: 0 }],
  ['all of it', { title: 'News', tags: ['a'], at: 5 }, { title: 'News', tags: ['a'], at: 5 }],
  ['empty and zero, which are answers', { title: '', tags: [], at: 0 }, blank],
  ['more than is known', { more: 1 }, { ...blank, more: 1 }],
])('an answer with %s is whole', (_name, half, whole) => {
  expect(complete<Card>(blank, half as Partial<Card> | null)).toEqual(whole);
});

test('what stands in for what is missing is never changed by an answer', () => {
  complete<Card>(blank, { title: 'News' });
  expect(blank).toEqual({ title: '', tags: [], at: 0 });
});

test('a list that is missing is empty', () => {
  expect(completeAll<Card>(blank, undefined)).toEqual([]);
  expect(completeAll<Card>(blank, null)).toEqual([]);
  expect(completeAll<Card>(blank, [{}, { at: 1 }])).toEqual([blank, { ...blank, at: 1 }]);
});
