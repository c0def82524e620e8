import { useLingui } from '@lingui/react/macro';
import { useId } from 'react';

import type { BankCard } from '../../api/withdrawals.ts';
import { cx } from '../../lib/cx.ts';
import { Link } from '../../lib/router.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { BankCardFace } from './BankCardFace.tsx';
import { cardForWithdrawalPath } from './paths.ts';

import styles from './BankCards.module.css';

type CardChoiceProps = {
  cards: readonly BankCard[];
  value: string;
  onChange: (id: string) => void;
};

/** The member's cards side by side, and a place to add one. */
export function CardChoice({ cards, value, onChange }: CardChoiceProps) {
  const { t } = useLingui();
  const name = useId();
  return (
    <div role="radiogroup" aria-label={t`Bank account`} className={styles.strip}>
      {cards.map((card) => (
        <label key={card.id} className={cx(styles.choice, card.id === value && styles.chosen)}>
          <input
            type="radio"
            name={name}
            value={card.id}
            checked={card.id === value}
            onChange={() => onChange(card.id)}
            className={styles.radio}
            aria-label={`${card.bankName} •••• ${card.lastFour}`}
          />
          <BankCardFace card={card} />
        </label>
      ))}
      <Link to={cardForWithdrawalPath} className={styles.add}>
        <Icon name="plus-bold" size={24} />
        {t`Add an account`}
      </Link>
    </div>
  );
}
