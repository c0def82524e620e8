import { expect, test } from 'vitest';

import { countTasks } from './queueCounts.ts';

test('the navigation shows the number of open tasks of each screen, and of all', () => {
  const tasks = ['withdrawals/7', 'kyc/1', 'withdrawals/8', 'lottery/draws/3'];
  const counts = countTasks(tasks.map((object) => ({ object })));
  expect(Object.fromEntries(counts)).toEqual({
    '/tasks': 4,
    '/withdrawals': 2,
    '/kyc': 1,
    '/lottery': 1,
  });
});
