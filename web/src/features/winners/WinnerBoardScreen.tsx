import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { launchPath } from '../../api/launch.ts';
import { useLaunch } from '../../api/use-launch.ts';
import { winnersQuery, type Winner } from '../../api/winners.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { Link } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { AutoScroll } from '../../ui/display/AutoScroll.tsx';
import { CaptionedStats } from '../../ui/display/CaptionedStats.tsx';
import { launchToasts } from '../../ui/display/launchToasts.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { WinnerRow } from '../../ui/display/WinnerRow.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './WinnerBoardScreen.module.css';

/** Rows visible at once. A longer board scrolls. */
const visibleRows = 6;
const rowMs = 2500;

export default function WinnerBoardScreen() {
  const { t } = useLingui();
  const query = useQuery(winnersQuery(useLanguage()));
  const launch = useLaunch(launchToasts);
  if (query.data?.length === 0) {
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
  return (
    <div className={styles.screen}>
      <QueryView
        query={query}
        skeleton={
          <div className={styles.board}>
            {Array.from({ length: visibleRows }, (_, i) => (
              <Skeleton key={i} shape="box" height={64} />
            ))}
          </div>
        }
      >
        {(winners) => <Board winners={winners} onPlay={launch} />}
      </QueryView>
    </div>
  );
}

type BoardProps = { winners: readonly Winner[]; onPlay: (game: Winner['game']) => void };

function Board({ winners, onPlay }: BoardProps) {
  const { t } = useLingui();
  const simulated = winners.some((winner) => winner.simulated);
  return (
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
        <AutoScroll
          label={t`Latest wins`}
          count={winners.length}
          visibleRows={visibleRows}
          rowMs={rowMs}
        >
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
              onPlay={() => onPlay(game)}
            />
          ))}
        </AutoScroll>
      </div>
    </CaptionedStats>
  );
}
