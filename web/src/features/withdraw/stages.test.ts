import { expect, test } from 'vitest';

import type { WithdrawalStatus } from '../../api/withdrawals.ts';
import { stagesOf } from './stages.ts';

const steps = (...reached: WithdrawalStatus[]) => reached.map((status, i) => ({ status, at: i }));

test.each([
  ['REQUESTED', ['REQUESTED'], 'requested:done@0 check:now@- sent:later@- paid:later@-'],
  ['REVIEW', ['REQUESTED', 'REVIEW'], 'requested:done@0 check:now@1 sent:later@- paid:later@-'],
  [
    'SENT',
    ['REQUESTED', 'REVIEW', 'APPROVED', 'SENT'],
    'requested:done@0 check:done@2 sent:done@3 paid:now@-',
  ],
  [
    'PAID',
    ['REQUESTED', 'REVIEW', 'APPROVED', 'PAID'],
    'requested:done@0 check:done@2 sent:done@- paid:done@3',
  ],
  ['REFUSED', ['REQUESTED', 'REVIEW', 'REFUSED'], 'requested:done@0 check:failed@2'],
  [
    'FAILED',
    ['REQUESTED', 'REVIEW', 'APPROVED', 'SENT', 'FAILED'],
    'requested:done@0 check:done@2 sent:done@3 paid:failed@4',
  ],
] as const)('the stages of a withdrawal that is %s', (status, reached, want) => {
  const got = stagesOf({ status, steps: steps(...reached) });
  expect(got.map(({ name, state, at }) => `${name}:${state}@${at ?? '-'}`).join(' ')).toBe(want);
});
