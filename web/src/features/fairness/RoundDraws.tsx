import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { useCurrencyOf } from '../../api/amounts.ts';
import { drawPath, roundDrawsQuery, type OwnDraw } from '../../api/pool.ts';
import { describeError } from '../../i18n/api-error.ts';
import { artUrl } from '../../lib/art.ts';
import { Link } from '../../lib/router.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Picture } from '../../ui/Picture.tsx';

import styles from './FairnessScreen.module.css';

/** The round's jackpot draws, each with a link to its proof. Most rounds have none. */
export function RoundDraws({ vendor, roundId }: { vendor: string; roundId: string }) {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(roundDrawsQuery(vendor, roundId));
  if (error && !data) {
    return (
      <ErrorRetry
        title={t`The jackpot's draws could not be loaded. Tap to try again.`}
        detail={describeError(error)}
        onRetry={refetch}
      />
    );
  }
  if (!data?.list.length) return null;
  return (
    <ul className={styles.steps} aria-label={t`Jackpot`}>
      {data.list.map((own) => (
        <li key={`${own.at} ${own.draw.series} ${own.draw.nonce}`} className={styles.draw}>
          <DrawRow own={own} />
        </li>
      ))}
    </ul>
  );
}

function DrawRow({ own: { draw, state } }: { own: OwnDraw }) {
  const { t } = useLingui();
  const { currency } = useCurrencyOf(draw.currency);
  const { series, nonce, won } = draw;
  const outcome =
    state === 'open'
      ? t`Drawn when the round is settled`
      : state === 'void'
        ? t`No part in a draw`
        : won === null
          ? t`Series ${series}, draw ${nonce}: not won`
          : t`Series ${series}, draw ${nonce}: won`;
  const content = (
    <>
      <Picture src={artUrl('icons/money-bag.webp')} size={36} />
      <span className={styles.words}>
        <span className={styles.name}>
          {won === null ? (
            t`Jackpot`
          ) : (
            <>
              {t`Jackpot won`} <Amount value={won} currency={currency} decimals="needed" />
            </>
          )}
        </span>
        <span className={styles.detail}>{outcome}</span>
      </span>
    </>
  );
  if (state !== 'drawn') return <div className={styles.round}>{content}</div>;
  return (
    <Link to={drawPath(draw)} className={styles.round}>
      {content}
      <span className={styles.onward}>
        {t`Check this draw`}
        <Icon name="caret-right" size={16} />
      </span>
    </Link>
  );
}
