import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import { useWalletCurrency } from '../../api/currency.ts';
import type { Play } from '../../api/play.ts';
import { walletQuery } from '../../api/wallet.ts';
import { formatNumber, noAmount } from '../../lib/money.ts';
import { Amount } from '../../ui/Amount.tsx';
import { Icon } from '../../ui/Icon.tsx';

import styles from './SessionStats.module.css';

/** A sitting, and when this device learned of it. */
export type ReadPlay = Play & { readAt: number };

/** The server's time now, by its own clock and what has passed here since. */
export const serverNow = ({ now, readAt }: ReadPlay): number => now + (Date.now() - readAt);

/** Hours, minutes and seconds, without hours in the first. */
export function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? [hours, ...parts].join(':') : parts.join(':');
}

/** By itself, and written without React: nothing is drawn anew with each second but the seconds. */
function Elapsed({ play }: { play: ReadPlay | undefined }) {
  const clock = useRef<HTMLElement>(null);
  const write = useEffectEvent(() => {
    const text = play ? clockOf(serverNow(play) - play.startedAt) : noAmount;
    const node = clock.current;
    if (!node || node.textContent === text) return;
    // The piece of text that is there stays: nothing around it is styled anew.
    if (node.firstChild instanceof Text) node.firstChild.data = text;
    else node.textContent = text;
    const hours = String(text.length > 5);
    if (node.dataset.hours !== hours) node.dataset.hours = hours;
  });
  useLayoutEffect(() => write());
  useEffect(() => {
    const timer = setInterval(() => write(), 1000);
    return () => clearInterval(timer);
  }, []);
  return <bdi ref={clock} dir="ltr" className={styles.clock} />;
}

export type StripProps = {
  play: ReadPlay | undefined;
  /** Said by the game; the server's word counts where it is silent. */
  rtp: string | null;
};

/** How long one has played, what it has come to, and what the game returns: always in sight while money is at stake. */
export function Strip({ play, rtp }: StripProps) {
  const { t, i18n } = useLingui();
  const { currency } = useCurrencyOf(play?.currency);
  const share = rtp ?? play?.rtp ?? null;
  return (
    <dl className={styles.strip} aria-label={t`This session`}>
      <div>
        <dt className={styles.time}>
          <Icon name="clock" size={14} />
          <span className={styles.spoken}>{t`Time since play began`}</span>
        </dt>
        <dd>
          <Elapsed play={play} />
        </dd>
      </div>
      <div>
        <dt>{t`Net`}</dt>
        <dd>
          <Amount value={play?.net} currency={currency} signed short />
        </dd>
      </div>
      {share && (
        <div>
          <dt>
            <abbr title={t`Return to player`}>RTP</abbr>
          </dt>
          <dd>
            <bdi dir="ltr">{percent(share, i18n.locale)}</bdi>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** One share as exact as it is, without zeros that say nothing; of a range each end to a tenth, never rounded up. */
function percent(share: string, language: string): string {
  const ends = share.split('-');
  const shown = ends.map((end) => {
    const exact = end.replace(/^\d+\.?/, '').replace(/0+$/, '').length;
    const decimals = ends.length > 1 ? Math.min(exact, 1) : exact;
    const pattern = decimals > 0 ? `#,##0.${'0'.repeat(decimals)}` : '#,##0';
    return formatNumber(end, { pattern, language });
  });
  return `${shown.join('–')}%`;
}

/** What can be played with, as the server tells it while the game runs. */
export function Balance({ held }: { held?: string | undefined }) {
  const { t } = useLingui();
  const { data: wallet } = useQuery(walletQuery);
  const currency = useWalletCurrency(wallet);
  return (
    <span className={styles.balance}>
      {t`Balance`} <Amount value={held ?? wallet?.total} currency={currency} />
    </span>
  );
}

/** The same for a game in another window. */
export function SessionStats({ play }: { play: ReadPlay | undefined }) {
  return (
    <div className={styles.card}>
      <Strip play={play} rtp={null} />
      <Balance />
    </div>
  );
}
