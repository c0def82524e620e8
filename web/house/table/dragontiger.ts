// Dragon and tiger: one card each, the higher wins.
import { t } from '@lingui/core/macro';

import { el } from '../kit/dom.ts';
import { playSteps } from '../kit/motion.ts';
import { readCard } from './cards.ts';
import type { Engine, StageView } from './engine.ts';
import { hands } from './hands.ts';
import { roadsView } from './roads-view.ts';

import './cards.css';

type Side = 'dragon' | 'tiger';

type Result = { dragon: string; tiger: string; winner: Side | 'tie' };

const read = (result: unknown): Result => result as Result;

function sideName(side: Side | 'tie'): string {
  switch (side) {
    case 'dragon':
      return t`Dragon`;
    case 'tiger':
      return t`Tiger`;
    case 'tie':
      return t`Tie`;
  }
}

const rankOf = (card: string): string => readCard(card).rank;

/** When the cards come, when each is turned, and when it is over. */
const pace = { dragon: 300, tiger: 840, turnDragon: 1700, turnTiger: 2900, end: 3800 };

function stage(): StageView {
  const view = hands('dragon', 'tiger');
  return {
    root: view.root,
    name(): void {
      view.name('dragon', sideName('dragon'));
      view.name('tiger', sideName('tiger'));
    },
    rest(last): void {
      view.clear();
      if (last == null) return;
      const { dragon, tiger, winner } = read(last);
      view.lay('dragon', dragon).open(true);
      view.lay('tiger', tiger).open(true);
      view.points('dragon', rankOf(dragon));
      view.points('tiger', rankOf(tiger));
      view.crown(winner);
    },
    deal(value, since, { tell, done }) {
      const { dragon, tiger, winner } = read(value);
      const dragonRank = rankOf(dragon);
      const tigerRank = rankOf(tiger);
      view.clear();
      const cards: Partial<Record<Side, ReturnType<typeof view.lay>>> = {};
      const lay = (side: Side, card: string) => (late: boolean) => {
        cards[side] = view.lay(side, card);
        cards[side].deal(late);
      };
      const turn = (side: Side, rank: string, text: string) => (late: boolean) => {
        cards[side]?.open(late);
        view.points(side, rank);
        tell(text);
      };
      return playSteps(
        [
          [pace.dragon, lay('dragon', dragon)],
          [pace.tiger, lay('tiger', tiger)],
          [pace.turnDragon, turn('dragon', dragonRank, t`Dragon ${dragonRank}`)],
          [pace.turnTiger, turn('tiger', tigerRank, t`Dragon ${dragonRank} · Tiger ${tigerRank}`)],
          [
            pace.end,
            () => {
              view.crown(winner);
              done();
            },
          ],
        ],
        since,
      );
    },
  };
}

export const engine: Engine = {
  backdrop: { dark: '#12224a', light: '#2a4a92' },
  host: true,
  stage,
  road: () =>
    roadsView<Side>({
      order: ['dragon', 'tiger'],
      name: sideName,
      mark(value) {
        const { winner } = read(value);
        const letters = {
          dragon: t({ message: 'D', context: 'letter of the dragon on a road' }),
          tiger: t({ message: 'G', context: 'letter of the tiger on a road' }),
          tie: t({ message: 'T', context: 'letter of a tie on a road' }),
        };
        return { side: winner, text: letters[winner] };
      },
    }),
  cloth: (spot) => ({
    root: el(
      'div',
      { class: 'cloth two-sides even' },
      spot('tie', { kind: 'side', tone: 'tie' }),
      spot('suitedTie', { kind: 'side', tone: 'tie' }),
      spot('dragon', { kind: 'main', tone: 'first' }),
      spot('tiger', { kind: 'main', tone: 'second' }),
    ),
  }),
  spotName: (id) => (id === 'suitedTie' ? t`Suited tie` : sideName(id as Side)),
  dealing: () => t`Dealing`,
  won(value, { id }) {
    const { dragon, tiger, winner } = read(value);
    return id === 'suitedTie' ? dragon === tiger : id === winner;
  },
  outcome(value) {
    const { dragon, tiger, winner } = read(value);
    const [d, g] = [rankOf(dragon), rankOf(tiger)];
    if (winner === 'tie') return t`Tie ${d}–${g}`;
    return winner === 'dragon' ? t`Dragon wins ${d}–${g}` : t`Tiger wins ${g}–${d}`;
  },
  rules: () => [
    t`Dragon and Tiger each get one card. The higher wins; the ace is the lowest, the king the highest. Suits do not count.`,
    t`On a tie, half of a stake on Dragon or Tiger comes back.`,
    t`A suited tie is two cards of the same rank and suit.`,
    t`Every round is dealt from eight fresh decks. No round depends on an earlier one.`,
  ],
};
