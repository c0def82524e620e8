import { t } from '@lingui/core/macro';

import { el } from '../kit/dom.ts';
import { playSteps } from '../kit/motion.ts';
import type { Engine, StageView } from './engine.ts';
import { hands } from './hands.ts';
import { roadsView } from './roads-view.ts';

import './playing-cards.css';

type Side = 'player' | 'banker';

type Result = {
  player: readonly string[];
  banker: readonly string[];
  winner: Side | 'tie';
  playerPair: boolean;
  bankerPair: boolean;
  points: { player: number; banker: number };
};

const parseResult = (result: unknown): Result => result as Result;

function sideName(side: Side | 'tie'): string {
  switch (side) {
    case 'player':
      return t`Player`;
    case 'banker':
      return t`Banker`;
    case 'tie':
      return t`Tie`;
  }
}

const valueOf = (card: string): number => {
  const rank = card.slice(0, -1);
  return rank === 'A' ? 1 : (Number(rank) || 0) % 10;
};

export const handPoints = (cards: readonly string[]): number =>
  cards.reduce((sum, card) => sum + valueOf(card), 0) % 10;

const times = { first: 250, step: 540, turn: 280, third: 600, end: 520 };

type Dealt = { at: number; side: Side; card: string; sideways: boolean };

export function dealSchedule({ player, banker }: Pick<Result, 'player' | 'banker'>): Dealt[] {
  const list: Dealt[] = [];
  let at = times.first;
  const add = (side: Side, card: string | undefined, third: boolean): void => {
    if (card === undefined) return;
    if (third) at += times.third;
    list.push({ at, side, card, sideways: third });
    at += times.step;
  };
  for (const place of [0, 1]) {
    add('player', player[place], false);
    add('banker', banker[place], false);
  }
  add('player', player[2], true);
  add('banker', banker[2], true);
  return list;
}

const dealMs = (result: Pick<Result, 'player' | 'banker'>): number =>
  (dealSchedule(result).at(-1)?.at ?? 0) + times.turn + times.end;

function stage(): StageView {
  const view = hands<Side>('player', 'banker', 'several');
  function showAll(result: Result): void {
    view.clear();
    for (const { side, card, sideways } of dealSchedule(result))
      view.addCard(side, card, sideways).open(true);
    finish(result);
  }
  function finish({ points, winner }: Result): void {
    view.points('player', String(points.player));
    view.points('banker', String(points.banker));
    view.markWinner(winner);
  }
  return {
    root: view.root,
    setLabels(): void {
      view.name('player', sideName('player'));
      view.name('banker', sideName('banker'));
    },
    showIdle(last): void {
      if (last == null) view.clear();
      else showAll(parseResult(last));
    },
    deal(value, since, { announce, done }) {
      const result = parseResult(value);
      view.clear();
      const open: Record<Side, string[]> = { player: [], banker: [] };
      const steps = dealSchedule(result).flatMap(({ at, side, card, sideways }) => {
        let shownCard: ReturnType<typeof view.addCard> | null = null;
        return [
          [
            at,
            (late: boolean) => {
              shownCard = view.addCard(side, card, sideways);
              shownCard.deal(late);
            },
          ],
          [
            at + times.turn,
            (late: boolean) => {
              shownCard?.open(late);
              open[side].push(card);
              view.points(side, String(handPoints(open[side])));
              announce(score(handPoints(open.player), handPoints(open.banker)));
            },
          ],
        ] as const;
      });
      return playSteps(
        [
          ...steps,
          [
            dealMs(result),
            () => {
              finish(result);
              done();
            },
          ],
        ].toSorted((a, b) => (a[0] as number) - (b[0] as number)) as [number, () => void][],
        since,
      );
    },
  };
}

function score(player: number, banker: number): string {
  return t`Player ${player} · Banker ${banker}`;
}

export const engine: Engine = {
  backdrop: { dark: '#3d0a1b', light: '#8a2138' },
  host: true,
  stageLayout: 'hands',
  stage,
  history: () =>
    roadsView<Side>({
      order: ['player', 'banker'],
      name: sideName,
      mark(value) {
        const { winner, playerPair, bankerPair } = parseResult(value);
        const tie = t({ message: 'T', context: 'letter of a tie on a road' });
        return {
          side: winner,
          text: winner === 'player' ? 'P' : winner === 'banker' ? 'B' : tie,
          dots: [
            ...(playerPair ? ['player' as const] : []),
            ...(bankerPair ? ['banker' as const] : []),
          ],
        };
      },
    }),
  cloth: (spot) => ({
    root: el(
      'div',
      { class: 'cloth two-sides' },
      spot('playerPair', { kind: 'side', tone: 'first' }),
      spot('tie', { kind: 'side', tone: 'tie' }),
      spot('bankerPair', { kind: 'side', tone: 'second' }),
      spot('player', { kind: 'main', tone: 'first' }),
      spot('banker', { kind: 'main', tone: 'second' }),
    ),
  }),
  spotName(id) {
    switch (id) {
      case 'playerPair':
        return t`Player pair`;
      case 'bankerPair':
        return t`Banker pair`;
      case 'player':
        return t({ message: 'Player', context: 'a bet on the hand' });
      case 'banker':
        return t({ message: 'Banker', context: 'a bet on the hand' });
      default:
        return sideName(id as Side);
    }
  },
  dealingLabel: () => t`Dealing`,
  dealMs: (value) => dealMs(parseResult(value)),
  isWinning(value, { id }) {
    const { winner, playerPair, bankerPair } = parseResult(value);
    if (id === 'playerPair') return playerPair;
    if (id === 'bankerPair') return bankerPair;
    return id === winner;
  },
  outcomeText(value) {
    const { winner, points } = parseResult(value);
    const { player, banker } = points;
    if (winner === 'tie') return t`Tie ${player}–${banker}`;
    return winner === 'player'
      ? t`Player wins ${player}–${banker}`
      : t`Banker wins ${banker}–${player}`;
  },
  rules: () => [
    t`Player and Banker each get two cards. The hand nearer to 9 wins; of a sum only its last digit counts. Ace counts 1, ten and court cards 0.`,
    t`With 8 or 9 in two cards, neither side draws. Otherwise Player draws on 0 to 5, and Banker by the fixed rule of the game.`,
    t`On a tie, stakes on Player and Banker come back.`,
    t`A pair is two first cards of the same rank.`,
    t`Every round is dealt from eight fresh decks. No round depends on an earlier one.`,
  ],
};
