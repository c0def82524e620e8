import { expect, test } from 'vitest';

import { resumeOf } from './resume.ts';
import { aRound } from './testing.ts';

const last = aRound({ id: 'r-7' });

test('PP-15 (resume) a round that is not settled is waited for', () => {
  expect(resumeOf({ open: aRound({ id: 'r-8' }), last }, 'r-7')).toEqual({ kind: 'wait' });
});

test('PP-15 (resume) a result that was not shown is told from the server’s record', () => {
  expect(resumeOf({ open: null, last }, 'r-6')).toEqual({ kind: 'tell', round: last });
  expect(resumeOf({ open: null, last }, null)).toEqual({ kind: 'tell', round: last });
});

test('PP-15 (resume) a result that was shown is not told again', () => {
  expect(resumeOf({ open: null, last }, 'r-7')).toEqual({ kind: 'rest', round: last });
  expect(resumeOf({ open: null, last: null }, null)).toEqual({ kind: 'rest', round: null });
});
