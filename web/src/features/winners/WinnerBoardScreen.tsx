import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { launchPath } from '../../api/launch.ts';
import { useLaunch } from '../../api/launching.ts';
import { winnersQuery } from '../../api/winners.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { Link } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { AutoScroll } from '../../ui/display/AutoScroll.tsx';
import { CaptionedStats } from '../../ui/display/CaptionedStats.tsx';
import { launchToasts } from '../../ui/display/launchToasts.ts';
import { WinnerRow } from '../../ui/display/WinnerRow.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './WinnerBoardScreen.module.css';

/** Rows visible at once. A longer board scrolls. */
const seen = 6;
const rowMs = 2500;

export default function WinnerBoardScreen() {
  const { t } = useLingui();
  const { data: winners, error, refetch } = useQuery(winnersQuery(useLanguage()));
  const launch = useLaunch(launchToasts);
  if (!winners && error) {
    return (
      <div className={styles.screen}>
        <ErrorRetry onRetry={refetch} detail={describeError(error)} answered={wasAnswered(error)} />
      </div>
    );
  }
  if (winners?.length === 0) {
    return (
      <Empty
        art={artUrl('spots/star.webp')}
        icon="crown-fill"
        title={t`Nobody has won lately`}
        text={t`The first win stands here as soon as it is settled.`}
        actions={
          <Link to="/m/game" className={buttonClass({ size: 'md' })}>
            {t`To the games`}
          </Link>
        }
      />
    );
  }
  const simulated = winners?.some((winner) => winner.simulated) === true;
  return (
    <div className={styles.screen}>
      {winners ? (
        <CaptionedStats
          title={t`Latest wins`}
          simulated={simulated}
          lead={
            <>
              {simulated
                ? t`These rows are made up to show what the board looks like. No real player won them.`
                : t`Settled wins of real players. Names are masked.`}{' '}
              {t`Each amount is what a round paid out, its stake included.`}
            </>
          }
        >
          <div className={styles.board}>
            <AutoScroll label={t`Latest wins`} count={winners.length} seen={seen} rowMs={rowMs}>
              {winners.map(({ key, name, game, amount, currency }) => (
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
            </AutoScroll>
          </div>
        </CaptionedStats>
      ) : (
        <div role="status" aria-label={t`Loading`} className={styles.board}>
          {Array.from({ length: seen }, (_, i) => (
            <Skeleton key={i} shape="box" height={64} />
          ))}
        </div>
      )}
    </div>
  );
}
