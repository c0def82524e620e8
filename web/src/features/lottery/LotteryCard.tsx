import { useLingui } from '@lingui/react/macro';

import { toggleFollowed, useIsFollowed } from '../../api/followed-draws.ts';
import { lotteryNow, type LotteryGame } from '../../api/lottery.ts';
import { formatCountdown } from '../../lib/dates.ts';
import { shortNumero } from '../../lib/numero.ts';
import { Link } from '../../lib/router.tsx';
import { DrawResult } from '../../ui/display/DrawResult.tsx';
import { useNow } from '../../ui/display/useNow.ts';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';

import styles from './LotteryCard.module.css';

/** The time until a game closes, or that it is closed. */
export function TimeLeft({ game }: { game: LotteryGame }) {
  const { t } = useLingui();
  // Renders each second.
  useNow();
  const left = game.closeTime - lotteryNow(game);
  return (
    <span className={styles.time}>
      <span>{left > 0 ? t`Closes in` : t`Closed`}</span>
      <bdi dir="ltr" role="timer">
        {formatCountdown(left)}
      </bdi>
    </span>
  );
}

/** A game with the time until it closes and its last result. */
export function LotteryCard({ game }: { game: LotteryGame }) {
  const { t } = useLingui();
  const { gameId, numero, gameName, last, type, simulated } = game;
  const name = shortNumero(numero);
  const isFollowed = useIsFollowed({ gameId, numero });
  return (
    <li className={styles.card}>
      <Link to={`/m/startLottery?gameId=${gameId}`} className={styles.link}>
        <span className={styles.words}>
          <b>
            <bdi>{gameName}</bdi>
          </b>
          <span className={styles.numero}>{t`Draw ${name}`}</span>
          {simulated && <span className={styles.numero}>{t`Drawn by this demo`}</span>}
        </span>
        <TimeLeft game={game} />
        <Icon name="caret-right" size={18} />
      </Link>
      <div className={styles.foot}>
        {last ? (
          <span className={styles.last}>
            {shortNumero(last.numero)}
            <DrawResult type={type} winNo={last.winNo} small />
          </span>
        ) : (
          <span className={styles.last}>{t`No result yet`}</span>
        )}
        <IconButton
          icon={isFollowed ? 'bell-fill' : 'bell'}
          pressed={isFollowed}
          label={t`Tell me the result of ${gameName}`}
          onPress={() => toggleFollowed({ gameId, numero })}
        />
      </div>
    </li>
  );
}
