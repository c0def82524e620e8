import { useLingui } from '@lingui/react/macro';
import type { MouseEvent } from 'react';

import type { Game } from '../../api/catalogue.ts';
import { isSupported, launchPath } from '../../api/launch.ts';
import { useLaunch } from '../../api/use-launch.ts';
import { cx } from '../../lib/cx.ts';
import { opensElsewhere } from '../../lib/router.tsx';
import { launchToasts } from '../../ui/display/launchToasts.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Thumb } from '../../ui/display/Thumb.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import type { Recents } from './useRecents.ts';

import styles from './RecentStrip.module.css';

/** The member's recent games. Hidden for visitors and before the first game. */
export function RecentStrip({ recents }: { recents: Recents }) {
  const { t } = useLingui();
  const { isShown, query } = recents;
  const launch = useLaunch(launchToasts);
  if (!isShown) return null;

  return (
    <section aria-labelledby="recent-games">
      <h2 id="recent-games" className={styles.title}>
        {t`Played lately`}
      </h2>
      <QueryView
        query={query}
        errorClass={styles.failed}
        skeleton={
          <ul className={styles.strip}>
            {[0, 1, 2, 3, 4].map((i) => (
              <li key={i}>
                <Skeleton shape="box" width={62} height={82} />
              </li>
            ))}
          </ul>
        }
      >
        {(games) => (
          <ul className={styles.strip}>
            {games.map((game) => (
              <li key={game.nodeId}>
                <Recent game={game} onLaunch={launch} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
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
