import { useLingui } from '@lingui/react/macro';
import type { MouseEvent } from 'react';

import type { Game } from '../../api/catalogue.ts';
import { isSupported, launchPath } from '../../api/launch.ts';
import { useLaunch } from '../../api/use-launch.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { cx } from '../../lib/cx.ts';
import { opensElsewhere } from '../../lib/router.tsx';
import { launchToasts } from '../../ui/display/launchToasts.ts';
import { Thumb } from '../../ui/display/Thumb.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import type { Recents } from './useRecents.ts';

import styles from './RecentStrip.module.css';

/** The member's recent games. Hidden for visitors and before the first game. */
export function RecentStrip({ recents }: { recents: Recents }) {
  const { t } = useLingui();
  const { isShown, games, error, refetch } = recents;
  const launch = useLaunch(launchToasts);
  if (!isShown) return null;

  return (
    <section aria-labelledby="recent-games" aria-busy={!games && !error}>
      <h2 id="recent-games" className={styles.title}>
        {t`Played lately`}
      </h2>
      {!games && error ? (
        <ErrorRetry
          onRetry={refetch}
          detail={describeError(error)}
          answered={wasAnswered(error)}
          className={styles.failed}
        />
      ) : (
        <ul className={styles.strip}>
          {games
            ? games.map((game) => (
                <li key={game.nodeId}>
                  <Recent game={game} onLaunch={launch} />
                </li>
              ))
            : Array.from({ length: 5 }, (_, i) => (
                <li key={i}>
                  <Skeleton shape="box" width={62} height={82} />
                </li>
              ))}
        </ul>
      )}
    </section>
  );
}

function Recent({ game, onLaunch }: { game: Game; onLaunch: (game: Game) => void }) {
  const { t } = useLingui();
  const { name } = game;
  const closed = game.maintenance ? t`Maintenance` : isSupported(game) ? null : t`Not open yet`;

  function press(event: MouseEvent): void {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    onLaunch(game);
  }

  return (
    <a
      href={launchPath(game)}
      onClick={press}
      className={cx(styles.game, closed !== null && styles.closed)}
      aria-label={closed === null ? undefined : `${name}, ${closed}`}
      draggable={false}
    >
      <Thumb art={game.smallImage} width={62} height={82} className={styles.art} />
      <span className={styles.name} lang={game.language} dir="auto">
        {name}
      </span>
    </a>
  );
}
