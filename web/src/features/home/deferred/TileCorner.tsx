import { useLingui } from '@lingui/react/macro';

import type { Game } from '../../../api/catalogue.ts';
import { useStars } from '../../../api/favourites.ts';
import { isSupported } from '../../../api/launch.ts';
import { StarButton } from '../../../ui/display/StarButton.tsx';
import { starToasts } from '../../../ui/display/starToasts.ts';

import styles from './TileCorner.module.css';

export { start } from './start.ts';

/** A tile's star, and why the game cannot be played. */
export default function TileCorner({ game }: { game: Game }) {
  const { t } = useLingui();
  const { ids, busy, star } = useStars(starToasts);
  const starred = ids.has(game.nodeId);
  return (
    <>
      <StarButton
        name={game.name}
        starred={starred}
        busy={busy.has(game.nodeId)}
        onPress={() => star(game, !starred)}
      />
      {game.maintenance ? (
        <span className={styles.reason}>{t`Maintenance`}</span>
      ) : (
        !isSupported(game) && <span className={styles.reason}>{t`Not open yet`}</span>
      )}
    </>
  );
}
