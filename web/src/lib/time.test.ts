// @vitest-environment node
import { expect, test } from 'vitest';

import { formatDate, formatDateTime } from './time.ts';

const at = Date.UTC(2026, 10, 15, 19, 5);

test.each(['vi', 'en', 'ur', 'pt'])(
  '%s writes day, month and year in Western digits',
  (language) => {
    expect(formatDate(at, language, 'UTC')).toBe('15/11/2026');
  },
);

test('the reader’s zone decides the day, and hours count to 23', () => {
  expect(formatDate(at, 'vi', 'Asia/Ho_Chi_Minh')).toBe('16/11/2026');
  expect(formatDateTime(at, 'en', 'UTC')).toBe('15/11/2026, 19:05');
  expect(formatDateTime(Date.UTC(2026, 0, 1), 'en', 'UTC')).toBe('01/01/2026, 00:00');
});
