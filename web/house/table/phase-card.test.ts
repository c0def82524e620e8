// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { setLanguage } from '../kit/language.ts';
import { engine } from './baccarat.ts';
import { phaseCard } from './phase-card.ts';
import { initialState, reduce, type Event, type State } from './state.ts';
import { aTableResponse, aSession } from './testing.ts';
import { createTexts } from './texts.ts';

const cardText = (state: State, phase: 'locked' | 'dealing') =>
  phaseCard({
    state,
    phase,
    leftMs: 1000,
    trouble: null,
    texts: createTexts(aSession(), engine),
    outcomeText: () => '',
    dealText: 'Player 6',
    counted: null,
  })?.text;

test('the card shows a stake in flight at the close, and a late one as not staked', async () => {
  await setLanguage('en');
  const events: Event[] = [
    { type: 'placeChip', spot: 'banker', open: true },
    { type: 'confirm', id: 'a', open: true },
  ];
  const sent = events.reduce(
    (state, event) => reduce(state, event),
    initialState(aTableResponse()),
  );
  expect(cardText(sent, 'locked')).toBe('Recording your stake…');
  const late = reduce(sent, { type: 'refused', code: 'house.betting_closed' });
  expect(cardText(late, 'locked')).toContain('This was not staked');
  expect(cardText(late, 'dealing')).toContain('This was not staked');
  expect(cardText(initialState(aTableResponse()), 'dealing')).toBe('Player 6');
});
