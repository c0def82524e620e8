import { useLingui } from '@lingui/react/macro';

import { shortNumero } from '../src/lib/numero.ts';
import { DrawResult } from '../src/ui/display/DrawResult.tsx';
import { Empty } from '../src/ui/Empty.tsx';
import { Icon } from '../src/ui/Icon.tsx';
import { countdownText, useServerNow } from './clock.ts';
import { useTranslate } from './context.ts';
import { groupNames } from './play-texts.ts';
import type { Game, GameGroup } from './wire.ts';

import styles from './GameList.module.css';

export type GameListProps = {
  games: readonly Game[];
  groups: readonly GameGroup[];
  onChoose: (game: Game) => void;
};

/** Lists the games of a lobby in groups, with the time until each closes. */
export function GameList({ games, groups, onChoose }: GameListProps) {
  const { t } = useLingui();
  const translate = useTranslate();
  const now = useServerNow();
  const shown = groups
    .map((group) => ({
      ...group,
      list: games
        .filter(({ gameId }) => group.games.includes(gameId))
        .toSorted((a, b) => a.closeTime - b.closeTime || a.period - b.period),
    }))
    .filter(({ list }) => list.length > 0);
  if (shown.length === 0)
    return (
      <Empty icon="ticket" title={t`No lottery is open now`} text={t`Please come back later.`} />
    );
  return (
    <main aria-label={t`Lottery`} className={styles.page}>
      <h1 className={styles.title}>{t`Lottery`}</h1>
      {shown.map(({ gameGroupId, name, list }) => (
        <section key={gameGroupId}>
          <h2 className={styles.group}>{translate(groupNames[gameGroupId] ?? name)}</h2>
          <ul className={styles.list}>
            {list.map((game) => (
              <li key={game.gameId}>
                <button type="button" className={styles.game} onClick={() => onChoose(game)}>
                  <span className={styles.words}>
                    <b>
                      <bdi>{game.gameName}</bdi>
                    </b>
                    {game.simulated && <span className={styles.last}>{t`Drawn by this demo`}</span>}
                    {game.last && (
                      <span className={styles.last}>
                        {shortNumero(game.last.numero)}
                        <DrawResult type={game.type} winNo={game.last.winNo} small />
                      </span>
                    )}
                  </span>
                  <span className={styles.time}>
                    <span>{now < game.closeTime ? t`Closes in` : t`Closed`}</span>
                    <b dir="ltr">{countdownText(game.closeTime - now)}</b>
                  </span>
                  <Icon name="caret-right" size={18} />
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </main>
  );
}
