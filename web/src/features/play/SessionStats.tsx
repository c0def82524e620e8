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

/** A play session and the time when this device received it. */
export type PlaySnapshot = Play & { readAt: number };

export const serverNow = ({ now, readAt }: PlaySnapshot): number => now + (Date.now() - readAt);

/** Formats a duration as [h:]mm:ss. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? [hours, ...parts].join(':') : parts.join(':');
}

/** A running clock. It writes to the DOM without React, so that each second repaints the clock only. */
function Elapsed({ play }: { play: PlaySnapshot | undefined }) {
  const clock = useRef<HTMLElement>(null);
  const write = useEffectEvent(() => {
    const text = play ? formatElapsed(serverNow(play) - play.startedAt) : noAmount;
    const node = clock.current;
    if (!node || node.textContent === text) return;
    // Reuses the text node, so that the elements around it keep their styles.
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

export type SessionStripProps = {
  play: PlaySnapshot | undefined;
  /** The RTP that the game reports. If it is null, the server's RTP is shown. */
  rtp: string | null;
};

export function SessionStrip({ play, rtp }: SessionStripProps) {
  const { t, i18n } = useLingui();
  const { currency } = useCurrencyOf(play?.currency);
  const share = rtp ?? play?.rtp ?? null;
  return (
    <dl className={styles.strip} aria-label={t`This session`}>
      <div>
        <dt className={styles.time}>
          <Icon name="clock" size={14} />
          <span className={styles.visuallyHidden}>{t`Time since play began`}</span>
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

/** Formats one percentage exactly, or both ends of a range to a tenth. Never rounds up. */
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

export function Balance({ value }: { value?: string | undefined }) {
  const { t } = useLingui();
  const { data: wallet } = useQuery(walletQuery);
  const currency = useWalletCurrency(wallet);
  return (
    <span className={styles.balance}>
      {t`Balance`} <Amount value={value ?? wallet?.total} currency={currency} />
    </span>
  );
}

/** The figures of a game in another window. */
export function SessionStats({ play }: { play: PlaySnapshot | undefined }) {
  return (
    <div className={styles.card}>
      <SessionStrip play={play} rtp={null} />
      <Balance />
    </div>
  );
}
