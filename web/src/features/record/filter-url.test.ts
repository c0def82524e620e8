// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { filterOf, readRecord, recordPath, type RecordView } from './filter-url.ts';

const defaultView: RecordView = {
  period: '7d',
  category: '',
  vendor: '',
  status: 'all',
  from: '',
  to: '',
};

test('RT-09 the URL stores and restores the filters', () => {
  const view: RecordView = {
    period: 'own',
    category: 'RNG',
    vendor: 'JL',
    status: 'won',
    from: '2026-11-01',
    to: '2026-11-15',
  };
  expect(recordPath(defaultView)).toBe('/m/gameRecord');
  expect(readRecord(new URL(recordPath(view), location.origin).searchParams)).toEqual(view);
});

test('invalid filters are ignored', () => {
  const query = new URLSearchParams({
    period: 'ever',
    category: '<b>',
    vendor: 'a b',
    status: 'lucky',
    from: 'yesterday',
    to: '2026-1-1',
  });
  expect(readRecord(query)).toEqual(defaultView);
});

const now = new Date('2026-11-15T14:30:00').getTime();
const at = (text: string) => new Date(text).getTime();

test.each([
  ['today', '2026-11-15T00:00:00'],
  ['7d', '2026-11-09T00:00:00'],
  ['30d', '2026-10-17T00:00:00'],
] as const)('RT-09 %s begins at the start of a day and ends with today', (period, from) => {
  const filter = filterOf({ ...defaultView, period }, now);
  expect(filter).toMatchObject({ from: at(from), to: at('2026-11-16T00:00:00') - 1 });
});

test('PP-02 in part: the longest range is 92 days', () => {
  const { from, to } = filterOf({ ...defaultView, period: '92d' }, now)!;
  expect(to - from).toBeLessThanOrEqual(92 * 86_400_000);
  expect(to - from).toBeGreaterThan(91 * 86_400_000);
});

test.each([
  ['', ''],
  ['2026-11-01', ''],
  ['2026-11-15', '2026-11-01'],
  ['2026-01-01', '2026-11-01'],
  ['2026-13-41', '2026-11-01'],
])('a custom range from %j to %j is invalid', (from, to) => {
  expect(filterOf({ ...defaultView, period: 'own', from, to }, now)).toBeNull();
});

test('a custom range includes both days', () => {
  const filter = filterOf(
    { ...defaultView, period: 'own', from: '2026-11-01', to: '2026-11-01' },
    now,
  );
  expect(filter).toMatchObject({
    from: at('2026-11-01T00:00:00'),
    to: at('2026-11-02T00:00:00') - 1,
  });
});
