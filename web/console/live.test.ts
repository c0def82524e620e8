import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';

import { applyChange } from './live.ts';

test('a change invalidates only the lists and objects of its kind', () => {
  const client = new QueryClient();
  const keys = [
    ['list', '/ops/v1/members', {}],
    ['object', '/ops/v1/members/7'],
    ['object', '/ops/v1/membership/7'],
    ['list', '/ops/v1/games', {}],
    ['session'],
  ];
  for (const key of keys) client.setQueryData(key, 1);
  applyChange(client, { things: 'members', id: '7' });
  const invalidated = keys.filter((key) => client.getQueryState(key)?.isInvalidated);
  expect(invalidated).toEqual([keys[0], keys[1]]);
});
