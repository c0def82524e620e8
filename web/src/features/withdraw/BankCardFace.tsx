import { useLingui } from '@lingui/react/macro';

import type { BankCard } from '../../api/withdrawals.ts';
import { Icon } from '../../ui/Icon.tsx';

import styles from './BankCards.module.css';

/** A bank account drawn as a card. */
export function BankCardFace({ card }: { card: BankCard }) {
  const { t } = useLingui();
  return (
    <span className={styles.face}>
      <span className={styles.line}>
        <b className={styles.bank}>{card.bankName}</b>
        {card.default && <span className={styles.badge}>{t`Default`}</span>}
      </span>
      <bdi dir="ltr" className={styles.number}>
        •••• •••• {card.lastFour}
      </bdi>
      <span className={styles.line}>
        <span dir="auto" className={styles.holder}>
          {card.holder}
        </span>
        <span className={styles.verified}>
          <Icon name="shield-check-fill" size={16} />
          {t`Verified`}
        </span>
      </span>
    </span>
  );
}
