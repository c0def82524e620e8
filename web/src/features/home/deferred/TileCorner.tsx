import { useLingui } from '@lingui/react/macro';

import type { Game } from '../../../api/catalogue.ts';
import { isSupported } from '../../../api/launch.ts';
import { StarButton } from '../../../ui/display/StarButton.tsx';
import { useStarStore } from './stars.ts';

import styles from './TileCorner.module.css';

export { start } from './start.ts';

/** A tile's star, and why the game cannot be played. */
export default function TileCorner({ game }: { game: Game }) {
  const { t } = useLingui();
  const star = useStarStore((stars) => stars.star);
  const starred = useStarStore(({ ids }) => ids.has(game.nodeId));
  const busy = useStarStore((stars) => stars.busy.has(game.nodeId));
  return (
    <>
      <StarButton
        name={game.name}
        starred={starred}
        busy={busy}
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
