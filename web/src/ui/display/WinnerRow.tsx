import { useLingui } from '@lingui/react/macro';
import type { MouseEvent } from 'react';

import type { Currency } from '../../lib/currency.ts';
import { opensElsewhere } from '../../lib/router.tsx';
import { Amount } from '../Amount.tsx';
import { Icon } from '../Icon.tsx';
import { Figure } from './CaptionedStats.tsx';
import { Thumb } from './Thumb.tsx';

import styles from './WinnerRow.module.css';

export type WinnerRowProps = {
  /** Masked. */
  name: string;
  game: string;
  vendor: string;
  art: string;
  /** The round's payout including the stake, so it has no sign. */
  amount: string;
  currency: Currency;
  href: string;
  /** Called for a plain click only. */
  onPlay: () => void;
};

export function WinnerRow(props: WinnerRowProps) {
  const { name, game, vendor, art, amount, currency, href, onPlay } = props;
  const { t } = useLingui();

  function handleClick(event: MouseEvent): void {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    onPlay();
  }

  return (
    <li className={styles.row}>
      <Thumb art={art} width={33} height={44} className={styles.art} lazy />
      <span className={styles.words}>
        <bdi dir="ltr" className={styles.name}>
          {name}
        </bdi>
        <span className={styles.game}>
          <bdi>{game}</bdi> · <bdi>{vendor}</bdi>
        </span>
      </span>
      <Figure className={styles.figure}>
        <Amount value={amount} currency={currency} decimals="needed" />
      </Figure>
      <a href={href} onClick={handleClick} className={styles.play} aria-label={t`Play ${game} now`}>
        <Icon name="play-fill" size={14} />
      </a>
    </li>
  );
}
