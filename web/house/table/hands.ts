// Two hands of cards with their points.
import { bdi, el, icon, setText } from '../kit/dom.ts';
import { icons } from '../kit/icons.ts';
import { Card } from './playing-cards.ts';

type Hand = { root: HTMLElement; cards: HTMLElement; name: HTMLElement; points: HTMLElement };

function hand(side: string, place: 'first' | 'second'): Hand {
  const cards = el('span', { class: 'hand-cards', dir: 'ltr' });
  const name = el('span');
  const points = bdi('', 'hand-points');
  const crown = el('span', { class: 'hand-crown', 'aria-hidden': 'true' });
  crown.append(icon(icons.crown, 18));
  const root = el(
    'div',
    { class: 'hand', 'data-side': side, 'data-place': place },
    cards,
    el('span', { class: 'hand-label' }, name, points, crown),
  );
  return { root, cards, name, points };
}

/** `cards` sets the card size: a hand of one card has larger cards. */
export function hands<S extends string>(first: S, second: S, cards: 'one' | 'several') {
  const [firstHand, secondHand] = [hand(first, 'first'), hand(second, 'second')];
  const of = (side: S): Hand => (side === first ? firstHand : secondHand);
  return {
    root: el(
      'div',
      { class: 'hands', 'data-cards': cards },
      el('div', { class: 'room' }),
      el('div', { class: 'host', 'aria-hidden': 'true' }),
      el('div', { class: 'felt-edge' }),
      firstHand.root,
      secondHand.root,
    ),
    name(side: S, text: string): void {
      of(side).name.textContent = text;
    },
    clear(): void {
      for (const one of [firstHand, secondHand]) {
        one.cards.replaceChildren();
        setText(one.points, '');
        delete one.root.dataset.won;
      }
    },
    addCard(side: S, card: string, sideways = false): Card {
      const shownCard = new Card(card, sideways);
      of(side).cards.append(shownCard.root);
      return shownCard;
    },
    points(side: S, text: string): void {
      setText(of(side).points, text);
    },
    crown(side: S | 'tie'): void {
      if (side !== 'tie') of(side).root.dataset.won = 'true';
    },
  };
}
