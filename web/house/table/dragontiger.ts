import { t } from '@lingui/core/macro';

import { el } from '../kit/dom.ts';
import { playSteps } from '../kit/motion.ts';
import type { Engine, StageView } from './engine.ts';
import { hands } from './hands.ts';
import { parseCard } from './playing-cards.ts';
import { roadsView } from './roads-view.ts';

import './playing-cards.css';

type Side = 'dragon' | 'tiger';

type Result = { dragon: string; tiger: string; winner: Side | 'tie' };

const parseResult = (result: unknown): Result => result as Result;

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

const rankOf = (card: string): string => parseCard(card).rank;

const times = { dragon: 300, tiger: 840, turnDragon: 1700, turnTiger: 2900, end: 3800 };

function stage(): StageView {
  const view = hands<Side>('dragon', 'tiger', 'one');
  return {
    root: view.root,
    setLabels(): void {
      view.name('dragon', sideName('dragon'));
      view.name('tiger', sideName('tiger'));
    },
    showIdle(last): void {
      view.clear();
      if (last == null) return;
      const { dragon, tiger, winner } = parseResult(last);
      view.addCard('dragon', dragon).open(true);
      view.addCard('tiger', tiger).open(true);
      view.points('dragon', rankOf(dragon));
      view.points('tiger', rankOf(tiger));
      view.markWinner(winner);
    },
    deal(value, since, { announce, done }) {
      const { dragon, tiger, winner } = parseResult(value);
      const dragonRank = rankOf(dragon);
      const tigerRank = rankOf(tiger);
      view.clear();
      const cards: Partial<Record<Side, ReturnType<typeof view.addCard>>> = {};
      const deal = (side: Side, card: string) => (late: boolean) => {
        cards[side] = view.addCard(side, card);
        cards[side].deal(late);
      };
      const turn = (side: Side, rank: string, text: string) => (late: boolean) => {
        cards[side]?.open(late);
        view.points(side, rank);
        announce(text);
      };
      return playSteps(
        [
          [times.dragon, deal('dragon', dragon)],
          [times.tiger, deal('tiger', tiger)],
          [times.turnDragon, turn('dragon', dragonRank, t`Dragon ${dragonRank}`)],
          [times.turnTiger, turn('tiger', tigerRank, t`Dragon ${dragonRank} · Tiger ${tigerRank}`)],
          [
            times.end,
            () => {
              view.markWinner(winner);
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
  stageLayout: 'hands',
  stage,
  history: () =>
    roadsView<Side>({
      order: ['dragon', 'tiger'],
      name: sideName,
      mark(value) {
        const { winner } = parseResult(value);
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
  dealingLabel: () => t`Dealing`,
  dealMs: () => times.end,
  isWinning(value, { id }) {
    const { dragon, tiger, winner } = parseResult(value);
    return id === 'suitedTie' ? dragon === tiger : id === winner;
  },
  outcomeText(value) {
    const { dragon, tiger, winner } = parseResult(value);
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
