// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { speak } from '../kit/language.ts';
import { engine } from './baccarat.ts';
import { cardOf } from './card.ts';
import { begin, next, type Event, type State } from './state.ts';
import { anAnswer, aSession } from './testing.ts';
import { wordsFor } from './words.ts';

const told = (state: State, phase: 'locked' | 'dealing') =>
  cardOf({
    state,
    phase,
    leftMs: 1000,
    trouble: null,
    words: wordsFor(aSession(), engine),
    outcome: () => '',
    dealt: 'Player 6',
    counted: null,
  })?.text;

test('a stake on its way when the betting closes is no missing one, and one that came too late is told as not taken', async () => {
  await speak('en');
  const events: Event[] = [
    { type: 'put', spot: 'banker', open: true },
    { type: 'confirm', id: 'a', open: true },
  ];
  const sent = events.reduce((state, event) => next(state, event), begin(anAnswer()));
  expect(told(sent, 'locked')).toBe('Recording your stake…');
  const late = next(sent, { type: 'refused', code: 'house.betting_closed' });
  expect(told(late, 'locked')).toContain('This was not staked');
  expect(told(late, 'dealing')).toContain('This was not staked');
  expect(told(begin(anAnswer()), 'dealing')).toBe('Player 6');
});
