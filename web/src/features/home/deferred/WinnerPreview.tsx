import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { launchPath } from '../../../api/launch.ts';
import { useLaunch } from '../../../api/use-launch.ts';
import { winnersQuery } from '../../../api/winners.ts';
import { describeError, wasAnswered } from '../../../i18n/api-error.ts';
import { useLanguage } from '../../../i18n/runtime.ts';
import { Link } from '../../../lib/router.tsx';
import { CaptionedStats } from '../../../ui/display/CaptionedStats.tsx';
import { launchToasts } from '../../../ui/display/launchToasts.ts';
import { WinnerRow } from '../../../ui/display/WinnerRow.tsx';
import { ErrorRetry } from '../../../ui/ErrorRetry.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';

import styles from './HomeBlocks.module.css';

const maxWinners = 3;

/** The first rows of the winner board. Renders nothing without winners. */
export function WinnerPreview() {
  const { t } = useLingui();
  const { data: winners, error, refetch } = useQuery(winnersQuery(useLanguage()));
  const launch = useLaunch(launchToasts);
  if (!winners && error) {
    return (
      <div className={styles.figures}>
        <ErrorRetry
          onRetry={refetch}
          detail={describeError(error)}
          answered={wasAnswered(error)}
          className={styles.inset}
        />
      </div>
    );
  }
  if (!winners) {
    return (
      <div role="status" aria-label={t`Loading`} className={styles.figures}>
        <ul className={styles.winners}>
          {Array.from({ length: maxWinners }, (_, i) => (
            <li key={i}>
              <Skeleton shape="box" height={64} />
            </li>
          ))}
        </ul>
      </div>
    );
  }
  if (winners.length === 0) return null;
  return (
    <CaptionedStats
      title={t`Winner board`}
      simulated={winners.some(({ simulated }) => simulated)}
      className={styles.figures}
      headClass={styles.figuresHead}
      lead={t`Each amount is what a round paid out, its stake included.`}
      end={
        <Link to="/m/winnerBoard" className={styles.rules}>
          {t`More`}
          <Icon name="caret-right-bold" size={12} />
        </Link>
      }
    >
      <ul className={styles.winners}>
        {winners.slice(0, maxWinners).map(({ key, name, game, amount, currency }) => (
          <WinnerRow
            key={key}
            name={name}
            game={game.name}
            vendor={game.vendorName}
            art={game.image}
            amount={amount}
            currency={currency}
            href={launchPath(game)}
            onPlay={() => launch(game)}
          />
        ))}
      </ul>
    </CaptionedStats>
  );
}
