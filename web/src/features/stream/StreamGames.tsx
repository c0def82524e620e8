import { useLingui } from '@lingui/react/macro';

import { readGames, type WireGame } from '../../api/catalogue.ts';
import { isSupported, launchPath } from '../../api/launch.ts';
import { useLaunch } from '../../api/use-launch.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { launchToasts } from '../../ui/display/launchToasts.ts';
import { TileCard } from '../../ui/TileCard.tsx';

import styles from './StreamScreen.module.css';

export function StreamGames({ games }: { games: readonly WireGame[] }) {
  const { t } = useLingui();
  const launch = useLaunch(launchToasts);
  return (
    <ul className={styles.games} aria-label={t`Games`}>
      {readGames(games, useLanguage()).map((game) => (
        <li key={game.nodeId}>
          <TileCard
            name={game.name}
            lang={game.language}
            art={game.image}
            vendor={game.vendorName}
            href={launchPath(game)}
            onLaunch={() => launch(game)}
            eager={false}
            closed={
              game.maintenance ? t`Maintenance` : isSupported(game) ? undefined : t`Not open yet`
            }
          />
        </li>
      ))}
    </ul>
  );
}
