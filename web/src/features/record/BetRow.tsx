import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import type { Bet } from '../../api/bets.ts';
import { proofPath } from '../../api/fairness.ts';
import { drawPath } from '../../api/pool.ts';
import { artUrl } from '../../lib/art.ts';
import type { Currency } from '../../lib/currency.ts';
import { cx } from '../../lib/cx.ts';
import { Link } from '../../lib/router.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { Thumb } from '../../ui/display/Thumb.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Picture } from '../../ui/Picture.tsx';

import styles from './BetRow.module.css';

export type BetRowProps = { bet: Bet; currency: Currency };

/** One round and the jackpots that it won. A provable round links to its proof. */
export function BetRow({ bet, currency }: BetRowProps) {
  return (
    <>
      {bet.status === 'promo' ? (
        <PromoRow bet={bet} currency={currency} />
      ) : (
        <Round bet={bet} currency={currency} />
      )}
      {/* Older servers send no jackpots. */}
      {(bet.jackpots ?? []).map((won) => (
        <JackpotRow key={won.series} won={won} currency={currency} />
      ))}
    </>
  );
}

type JackpotRowProps = { won: Bet['jackpots'][number]; currency: Currency };

/** A jackpot that the round won. It links to the proof of the draw. */
function JackpotRow({ won: { series, nonce, amount }, currency }: JackpotRowProps) {
  const { t } = useLingui();
  return (
    <Link to={drawPath({ currency: currency.code, series, nonce })} className={styles.jackpot}>
      <Picture src={artUrl('icons/money-bag.webp')} size={36} lazy />
      <span className={styles.words}>
        <span className={styles.name}>{t`Jackpot won`}</span>
        <span className={styles.proof}>
          <Icon name="shield-check" size={14} />
          {t`Check this draw`}
        </span>
      </span>
      <span className={cx(styles.net, styles.won)}>
        <Amount value={amount} currency={currency} signed />
      </span>
    </Link>
  );
}

/** A vendor's promotion, which has no stake. */
function PromoRow({ bet, currency }: BetRowProps) {
  const { t } = useLingui();
  return (
    <div className={styles.row}>
      <GamePicture bet={bet} />
      <GameDetails bet={bet} />
      <span className={styles.sums}>
        <span className={cx(styles.net, styles.won)}>
          <Amount value={bet.win} currency={currency} signed />
        </span>
        <span className={styles.detail}>{t`Promotion`}</span>
      </span>
    </div>
  );
}

function GameDetails({ bet, children }: { bet: Bet; children?: ReactNode }) {
  const { i18n } = useLingui();
  const at = new Intl.DateTimeFormat(i18n.locale, {
    timeStyle: 'short',
    hourCycle: 'h23',
    numberingSystem: 'latn',
  }).format(bet.startedAt);
  return (
    <span className={styles.words}>
      <bdi className={styles.name}>{bet.gameName}</bdi>
      <span className={styles.detail}>
        <bdi dir="ltr">{at}</bdi> · <bdi>{bet.vendorName}</bdi>
      </span>
      {children}
    </span>
  );
}

function Round({ bet, currency }: BetRowProps) {
  const { t } = useLingui();
  const { status, stake, win, net, provable } = bet;
  const settled = status === 'won' || status === 'lost';
  const content = (
    <>
      <GamePicture bet={bet} />
      <GameDetails bet={bet}>
        {provable && settled && (
          <span className={styles.proof}>
            <Icon name="shield-check" size={14} />
            {t`Check this result`}
          </span>
        )}
      </GameDetails>
      <span className={styles.sums}>
        {settled ? (
          <span className={cx(styles.net, net > 0 && styles.won, net < 0 && styles.lost)}>
            <Amount value={net} currency={currency} signed />
          </span>
        ) : (
          <span className={cx(styles.net, styles.waits)}>
            {status === 'open' ? t`Running` : t({ message: 'Refunded', context: 'round' })}
          </span>
        )}
        <span className={styles.detail}>
          {t`Stake`} <Amount value={stake} currency={currency} />
        </span>
        {settled && (
          <span className={styles.detail}>
            {t`Paid`} <Amount value={win} currency={currency} />
          </span>
        )}
      </span>
    </>
  );
  if (!provable || !settled) return <div className={styles.row}>{content}</div>;
  return (
    <Link to={proofPath(bet.vendor, bet.roundId)} className={styles.row}>
      {content}
    </Link>
  );
}

/** The game's picture. Only House games have one here. */
function GamePicture({ bet }: { bet: Bet }) {
  const disc = (
    <span className={styles.disc}>
      <Icon name="game-controller" />
    </span>
  );
  if (!bet.provable) return disc;
  return (
    <Thumb
      art={artUrl(`tiles/${encodeURIComponent(bet.gameId)}.webp`)}
      width={44}
      height={56}
      className={styles.art}
      fallback={disc}
      lazy
    />
  );
}
