import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';

import { applyChange } from './live.ts';

test('a change makes only the lists and objects of its things old', () => {
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
  const old = keys.filter((key) => client.getQueryState(key)?.isInvalidated);
  expect(old).toEqual([keys[0], keys[1]]);
});
