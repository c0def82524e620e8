import { useId, type ReactNode } from 'react';

import { cx } from '../../lib/cx.ts';
import { Icon } from '../Icon.tsx';

import styles from './RadioCards.module.css';

type RadioCard<T extends string> = {
  value: T;
  title: ReactNode;
  /** The second line. For a disabled card, the reason. */
  text?: ReactNode;
  media?: ReactNode;
  /** Replaces the check mark. */
  trailing?: ReactNode;
  disabled?: boolean;
};

export type RadioCardsProps<T extends string> = {
  label: string;
  cards: readonly RadioCard<T>[];
  value: T | null;
  onChange: (value: T) => void;
  columns?: 1 | 2;
  className?: string | undefined;
};

/** A choice of cards. Uses radio buttons, so arrow keys work. */
export function RadioCards<T extends string>(props: RadioCardsProps<T>) {
  const { label, cards, value, onChange, columns = 1, className } = props;
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={cx(styles.cards, columns === 2 && styles.two, className)}
    >
      {cards.map((card) => {
        const chosen = card.value === value;
        return (
          <label
            key={card.value}
            className={cx(styles.card, chosen && styles.chosen, card.disabled && styles.disabled)}
          >
            <input
              type="radio"
              name={name}
              value={card.value}
              checked={chosen}
              disabled={card.disabled}
              onChange={() => onChange(card.value)}
              className={styles.radio}
            />
            {card.media && <span className={styles.media}>{card.media}</span>}
            <span className={styles.body}>
              <span className={styles.title}>{card.title}</span>
              {card.text && <span className={styles.text}>{card.text}</span>}
            </span>
            {card.trailing ??
              (chosen && <Icon name="check-circle-fill" size={20} className={styles.check} />)}
          </label>
        );
      })}
    </div>
  );
}
