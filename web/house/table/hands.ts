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

/** A hand that has only one card shows it larger. */
export function hands<S extends string>(first: S, second: S, handSize: 'one' | 'several') {
  const [firstHand, secondHand] = [hand(first, 'first'), hand(second, 'second')];
  const handOf = (side: S): Hand => (side === first ? firstHand : secondHand);
  return {
    root: el(
      'div',
      { class: 'hands', 'data-cards': handSize },
      el('div', { class: 'room' }),
      el('div', { class: 'host', 'aria-hidden': 'true' }),
      el('div', { class: 'felt-edge' }),
      firstHand.root,
      secondHand.root,
    ),
    name(side: S, text: string): void {
      handOf(side).name.textContent = text;
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
      handOf(side).cards.append(shownCard.root);
      return shownCard;
    },
    points(side: S, text: string): void {
      setText(handOf(side).points, text);
    },
    /** Does nothing on a tie. */
    markWinner(side: S | 'tie'): void {
      if (side !== 'tie') handOf(side).root.dataset.won = 'true';
    },
  };
}
