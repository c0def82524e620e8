import { expect, test } from 'vitest';

import { resumeAction } from './resume.ts';
import { aRound } from './testing.ts';

const last = aRound({ id: 'r-7' });

test('PP-15 (resume) waits for an open round', () => {
  expect(resumeAction({ open: aRound({ id: 'r-8' }), last }, 'r-7')).toEqual({ kind: 'wait' });
});

test('PP-15 (resume) shows a result that was not shown before', () => {
  expect(resumeAction({ open: null, last }, 'r-6')).toEqual({ kind: 'show', round: last });
  expect(resumeAction({ open: null, last }, null)).toEqual({ kind: 'show', round: last });
});

test('PP-15 (resume) does not show a result twice', () => {
  expect(resumeAction({ open: null, last }, 'r-7')).toEqual({ kind: 'idle', round: last });
  expect(resumeAction({ open: null, last: null }, null)).toEqual({ kind: 'idle', round: null });
});
