import { t } from '@lingui/core/macro';

import { el, svg } from '../kit/dom.ts';
import { animateElement } from '../kit/motion.ts';
import { playSound } from '../kit/sound.ts';

const suits = {
  S: 'M50 8C62 30 92 44 92 66c0 16-12 25-24 25-6 0-10-2-13-6 1 8 4 12 10 15H35c6-3 9-7 10-15-3 4-7 6-13 6C20 91 8 82 8 66 8 44 38 30 50 8z',
  H: 'M50 94C22 70 6 54 6 33 6 18 17 8 29 8c9 0 17 5 21 14C54 13 62 8 71 8c12 0 23 10 23 25 0 21-16 37-44 61z',
  D: 'M50 4C60 22 74 38 90 50 74 62 60 78 50 96 40 78 26 62 10 50 26 38 40 22 50 4z',
  C: 'M50 6c12 0 21 9 21 21 0 6-2 10-5 14 4-3 8-4 12-4 11 0 20 9 20 20s-9 20-20 20c-8 0-15-4-19-10 1 12 5 19 13 27H28c8-8 12-15 13-27-4 6-11 10-19 10C11 77 2 68 2 57s9-20 20-20c4 0 8 1 12 4-3-4-5-8-5-14C29 15 38 6 50 6z',
} as const;

const crown = 'M10 70 4 26l26 18L50 12l20 32 26-18-6 44z';

type Suit = keyof typeof suits;

const isSuit = (letter: string): letter is Suit => letter in suits;

/** Parses a card such as `9S` or `TH`. */
export function parseCard(card: string): { rank: string; suit: Suit } {
  const letter = card.slice(-1);
  const rank = card.slice(0, -1);
  return { rank: rank === 'T' ? '10' : rank, suit: isSuit(letter) ? letter : 'S' };
}

function cardName(card: string): string {
  const { rank, suit } = parseCard(card);
  switch (suit) {
    case 'H':
      return t`${rank} of hearts`;
    case 'D':
      return t`${rank} of diamonds`;
    case 'C':
      return t`${rank} of clubs`;
    default:
      return t`${rank} of spades`;
  }
}

const suitMark = (suit: Suit, name: string): SVGElement =>
  svg('svg', { viewBox: '0 0 100 100', class: name }, svg('path', { d: suits[suit] }));

function faceOf(card: string): HTMLElement {
  const { rank, suit } = parseCard(card);
  const court = 'JQK'.includes(rank);
  return el(
    'span',
    { class: 'card-face', 'data-red': suit === 'H' || suit === 'D' },
    el('b', { class: 'card-rank', 'data-wide': rank.length > 1 }, rank),
    suitMark(suit, 'card-corner'),
    court
      ? el(
          'span',
          { class: 'card-court' },
          svg('svg', { viewBox: '0 0 100 80' }, svg('path', { d: crown })),
          el('b', {}, rank),
        )
      : suitMark(suit, 'card-suit'),
  );
}

/** A card, face down until it opens. */
export class Card {
  readonly root: HTMLElement;
  readonly #turn: HTMLElement;
  readonly #card: string;

  constructor(card: string, sideways = false) {
    this.#card = card;
    this.#turn = el(
      'span',
      { class: 'card-turn' },
      faceOf(card),
      el('span', { class: 'card-back' }),
    );
    this.root = el('span', {
      class: 'playing-card',
      'data-sideways': sideways,
      'data-open': 'false',
    });
    this.root.append(this.#turn);
  }

  deal(late: boolean): void {
    if (late) return;
    playSound('cardSlide');
    void animateElement(
      this.root,
      [
        { translate: 'var(--shoe) -150px', rotate: '38deg', opacity: 0 },
        { opacity: 1, offset: 0.3 },
        {},
      ],
      { duration: 260 },
    );
  }

  open(late: boolean): void {
    this.root.dataset.open = 'true';
    this.root.setAttribute('role', 'img');
    this.root.setAttribute('aria-label', cardName(this.#card));
    if (late) return;
    playSound('cardFlip');
    void animateElement(this.#turn, [{ transform: 'rotateY(180deg)' }, { transform: 'none' }], {
      duration: 220,
    });
  }
}
