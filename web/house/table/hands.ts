// Two hands on the felt, for the games of cards: where the cards lie, and what they come to so far.
import { bdi, el, icon, setText } from '../kit/dom.ts';
import { icons } from '../kit/icons.ts';
import { Card } from './cards.ts';

type Hand = { root: HTMLElement; cards: HTMLElement; name: HTMLElement; points: HTMLElement };

function hand(side: string): Hand {
  const cards = el('span', { class: 'hand-cards', dir: 'ltr' });
  const name = el('span');
  const points = bdi('', 'hand-points');
  const crown = el('span', { class: 'hand-crown', 'aria-hidden': 'true' });
  crown.append(icon(icons.crown, 18));
  const root = el(
    'div',
    { class: 'hand', 'data-side': side },
    cards,
    el('span', { class: 'hand-label' }, name, points, crown),
  );
  return { root, cards, name, points };
}

export function hands(first: string, second: string) {
  const both: Readonly<Record<string, Hand>> = { [first]: hand(first), [second]: hand(second) };
  const of = (side: string): Hand => both[side] ?? hand(side);
  return {
    root: el(
      'div',
      { class: 'hands' },
      el('div', { class: 'room' }),
      el('div', { class: 'host', 'aria-hidden': 'true' }),
      el('div', { class: 'felt-edge' }),
      of(first).root,
      of(second).root,
    ),
    name(side: string, text: string): void {
      of(side).name.textContent = text;
    },
    clear(): void {
      for (const one of Object.values(both)) {
        one.cards.replaceChildren();
        setText(one.points, '');
        delete one.root.dataset.won;
      }
    },
    lay(side: string, card: string, lying = false): Card {
      const made = new Card(card, lying);
      of(side).cards.append(made.root);
      return made;
    },
    points(side: string, text: string): void {
      setText(of(side).points, text);
    },
    crown(side: string): void {
      const one = both[side];
      if (one) one.root.dataset.won = 'true';
    },
  };
}
