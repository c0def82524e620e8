import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { lotteryGamesQuery, lotteryNow, type LotteryGame } from '../../../api/lottery.ts';
import { useLanguage } from '../../../i18n/runtime.ts';
import { formatCountdown } from '../../../lib/dates.ts';
import { shortNumero } from '../../../lib/numero.ts';
import { Link } from '../../../lib/router.tsx';
import { DrawResult } from '../../../ui/display/DrawResult.tsx';
import { useNow } from '../../../ui/display/useNow.ts';

import styles from './LotteryBlock.module.css';

const maxRegional = 4;

/** The next draws and the last results of the lottery. Renders nothing if there is no lottery. */
export function LotteryBlock() {
  const { t } = useLingui();
  const { data: games } = useQuery(lotteryGamesQuery(useLanguage()));
  const shown = games && nextGames(games);
  if (!shown || shown.length === 0) return null;
  return (
    <section className={styles.block} aria-label={t`Lottery`}>
      <div className={styles.head}>
        <h2 className={styles.title}>{t`Lottery`}</h2>
        <Link to="/m/lottery" className={styles.more}>
          {t`All`}
        </Link>
      </div>
      <ul className={styles.cards}>
        {shown.map((game) => (
          <li key={game.gameId}>
            <Link to={`/m/startLottery?gameId=${game.gameId}&pageBack=1`} className={styles.card}>
              <b className={styles.name}>
                <bdi>{game.gameName}</bdi>
              </b>
              <TimeLeft game={game} />
              {game.simulated && <span className={styles.last}>{t`Drawn by this demo`}</span>}
              {game.last && (
                <span className={styles.last}>
                  <span>{shortNumero(game.last.numero)}</span>
                  <DrawResult type={game.type} winNo={game.last.winNo} small />
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The fastest game of each kind, then the regional draws that close next. */
function nextGames(games: readonly LotteryGame[]): LotteryGame[] {
  const fast = new Map<string, LotteryGame>();
  for (const game of games) {
    const known = fast.get(game.type);
    // The numbers of keno do not fit on a card.
    if (game.type === 'regional' || game.type === 'keno') continue;
    if (!known || game.period < known.period) fast.set(game.type, game);
  }
  const regional = games
    .filter(({ type }) => type === 'regional')
    .toSorted((a, b) => a.closeTime - b.closeTime)
    .slice(0, maxRegional);
  return [...fast.values(), ...regional];
}

function TimeLeft({ game }: { game: LotteryGame }) {
  const { t } = useLingui();
  // Renders each second.
  useNow();
  const left = game.closeTime - lotteryNow(game);
  return (
    <span className={styles.time}>
      {left > 0 ? t`Closes in` : t`Closed`} <bdi dir="ltr">{formatCountdown(left)}</bdi>
    </span>
  );
}
