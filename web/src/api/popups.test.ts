// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';

import { sessionStore } from '../lib/storage.ts';
import { announcement } from '../lib/testing/fixtures.ts';
import type { Announcement } from './content.ts';
import { groupOf, markClosed, popupsFor, wasClosed } from './popups.ts';

beforeEach(() => sessionStore.clear());

const list = ['A', 'B', 'F', ''].map(
  (execution, i) => announcement(i, { type: 'PU', execution }) as Announcement,
);
const session = (firstTimeLogin: boolean) => ({
  token: 't',
  type: 0,
  userName: 'demo88',
  merchantCode: 'f',
  firstTimeLogin,
});
const shown = (items: Announcement[]) => items.map(({ execution }) => execution).join('');

test('ST-04 groups: A with a session, also F at the first login, B without one', () => {
  expect(shown(popupsFor(list, session(false)))).toBe('A');
  expect(shown(popupsFor(list, session(true)))).toBe('AF');
  expect(shown(popupsFor(list, null))).toBe('B');
  expect([groupOf(session(true)), groupOf(null)]).toEqual(['A', 'B']);
});

test('EN-14 popup part: other announcements do not pop up', () => {
  const others = ['A', 'PL', 'B', 'PR'].map(
    (type, i) => announcement(i, { type, execution: 'B' }) as Announcement,
  );
  expect(popupsFor(others, null)).toEqual([]);
});

test('ST-04 closing a group stores show=false for it in session storage', () => {
  markClosed('B');
  expect(sessionStorage.getItem('announcementPopup.B')).toBe('{"show":false}');
  expect([wasClosed('B'), wasClosed('A')]).toEqual([true, false]);
  sessionStorage.setItem('announcementPopup.A', 'nonsense');
  expect(wasClosed('A')).toBe(false);
});
