// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';

import { sessionStore } from '../lib/storage.ts';
import { announcement } from '../lib/testing/fixtures.ts';
import type { Announcement } from './content.ts';
import { groupOf, keepClosed, popupsFor, wasClosed } from './popups.ts';

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

test('ST-04 groups: A with a session, F too at the first login, B without one', () => {
  expect(shown(popupsFor(list, session(false)))).toBe('A');
  expect(shown(popupsFor(list, session(true)))).toBe('AF');
  expect(shown(popupsFor(list, null))).toBe('B');
  expect([groupOf(session(true)), groupOf(null)]).toEqual(['A', 'B']);
});

test('EN-14 popup part: only popups pop up', () => {
  const others = ['A', 'PL', 'B', 'PR'].map(
    (type, i) => announcement(i, { type, execution: 'B' }) as Announcement,
  );
  expect(popupsFor(others, null)).toEqual([]);
});

test('ST-04 closing keeps show=false for its own group, in session storage', () => {
  keepClosed('B');
  expect(sessionStorage.getItem('announcementPopup.B')).toBe('{"show":false}');
  expect([wasClosed('B'), wasClosed('A')]).toEqual([true, false]);
  sessionStorage.setItem('announcementPopup.A', 'nonsense');
  expect(wasClosed('A')).toBe(false);
});
