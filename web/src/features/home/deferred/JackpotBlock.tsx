import { msg } from '@lingui/core/macro';
import { useLingui as useCatalogue } from '@lingui/react';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { hotGamesQuery, type Game } from '../../../api/catalogue.ts';
import * as categoryCode from '../../../api/categories.gen.ts';
import { canWin, jackpotQuery, type Jackpot } from '../../../api/jackpot.ts';
import { describeError, wasAnswered } from '../../../i18n/api-error.ts';
import { useLanguage } from '../../../i18n/runtime.ts';
import { Link } from '../../../lib/router.tsx';
import { CaptionedStats } from '../../../ui/display/CaptionedStats.tsx';
import { ErrorRetry } from '../../../ui/ErrorRetry.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { GameStrip } from './GameStrip.tsx';

import styles from './HomeBlocks.module.css';

const maxGames = 18;

const hotLive = msg({ id: 'local_hot_live', message: 'Hot live tables' });

/** The hot games with their jackpots, with live tables in a separate section. */
export function JackpotBlock() {
  const { t } = useLingui();
  const { i18n } = useCatalogue();
  const hotGames = useQuery(hotGamesQuery(useLanguage()));
  const jackpot = useQuery(jackpotQuery);
  const failed = [jackpot, hotGames].find(({ data, error }) => data === undefined && error);
  if (failed) {
    return (
      <div className={styles.figures}>
        <ErrorRetry
          onRetry={failed.refetch}
          detail={describeError(failed.error)}
          answered={wasAnswered(failed.error)}
          className={styles.inset}
        />
      </div>
    );
  }
  const live = hotGames.data?.filter(({ category }) => category === categoryCode.live);
  const others = hotGames.data?.filter(({ category }) => category !== categoryCode.live);
  return (
    <>
      <JackpotGames
        title={jackpot.data === null ? t`Hot games` : t`Jackpot`}
        games={others}
        jackpot={jackpot.data}
      />
      <JackpotGames title={i18n._(hotLive)} games={live} jackpot={jackpot.data} />
    </>
  );
}

type JackpotGamesProps = {
  title: string;
  games: Game[] | undefined;
  /** Null if there is no jackpot. The games then show no amount. */
  jackpot: Jackpot | null | undefined;
};

function JackpotGames({ title, games, jackpot }: JackpotGamesProps) {
  const { t } = useLingui();
  if (games?.length === 0) return null;
  // No game can win a paused pool, but the rules page says when it resumes.
  const isPaused = jackpot?.simulated === false && jackpot.games.length === 0;
  const isWinnable = !jackpot || !games || games.some((game) => canWin(jackpot, game));
  const showRules = jackpot !== null && (isPaused || isWinnable);
  return (
    <CaptionedStats
      title={title}
      simulated={jackpot?.simulated === true}
      className={styles.figures}
      headClass={styles.figuresHead}
      end={
        showRules && (
          <Link to="/m/jackpot" className={styles.rules}>
            <Icon name="info" size={16} />
            {t`Rules`}
          </Link>
        )
      }
    >
      <GameStrip games={games?.slice(0, maxGames)} jackpot={jackpot ?? undefined} />
    </CaptionedStats>
  );
}
