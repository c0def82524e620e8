import { expect, test } from 'vitest';

import {
  dayMs,
  daysBack,
  formatCountdown,
  formatDay,
  formatRelative,
  formatTime,
  rangeOfDays,
  toDayInput,
} from './dates.ts';

const at = (text: string) => new Date(text).getTime();

test.each(['vi', 'en', 'ur', 'pt'])('a time in %s has Western digits and 24 hours', (language) => {
  const text = formatTime(at('2026-11-15T20:05:00'), language);
  expect(text).toMatch(/15/);
  expect(text).toMatch(/2026/);
  expect(text).toMatch(/20:05/);
  expect(text).not.toMatch(/[۰-۹٠-٩]/);
});

test('English names the month after the day', () => {
  expect(formatTime(at('2026-11-05T20:05:00'), 'en')).toBe('5 Nov 2026, 20:05');
});

test.each([
  ['vi', '12/01/2026', '12/01'],
  ['en', '12 Jan 2026', '12 Jan'],
  ['pt', '12/01/2026', '12/01'],
])('a date in %s is unambiguous', (language, full, short) => {
  const day = at('2026-01-12T09:30:00');
  expect(formatDay(day, language)).toBe(full);
  expect(formatRelative(day, language, at('2026-11-17T00:00:00'))).toBe(short);
});

test('a recent time is relative', () => {
  const now = at('2026-11-17T12:00:00');
  expect(formatRelative(now - 5 * 60_000, 'en', now)).toBe('5 minutes ago');
  expect(formatRelative(at('2026-11-17T08:30:00'), 'en', now)).toBe('08:30');
  expect(formatRelative(at('2026-11-16T08:30:00'), 'en', now)).toBe('yesterday');
});

test.each([
  [-5000, '0:00'],
  [59_001, '1:00'],
  [899_000, '14:59'],
  [3_661_000, '1:01:01'],
])('a countdown of %i ms shows %s', (ms, text) => {
  expect(formatCountdown(ms)).toBe(text);
});

test('ranges cover whole days and do not exceed their maximum', () => {
  const now = at('2026-11-15T14:30:00');
  expect(daysBack(6, now)).toEqual({
    from: at('2026-11-09T00:00:00'),
    to: at('2026-11-16T00:00:00') - 1,
  });
  const week = rangeOfDays('2026-11-01', '2026-11-07', 7);
  expect(week).toEqual({ from: at('2026-11-01T00:00:00'), to: at('2026-11-08T00:00:00') - 1 });
  expect(rangeOfDays('2026-11-01', '2026-11-09', 7)).toBeNull();
  expect(rangeOfDays('2026-11-07', '2026-11-01', 7)).toBeNull();
  expect(rangeOfDays('', '2026-11-01', 7)).toBeNull();
  expect(toDayInput(now)).toBe('2026-11-15');
  expect(dayMs).toBe(86_400_000);
});
