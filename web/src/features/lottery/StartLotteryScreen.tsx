import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import { lotteryPath, type LotteryGame } from '../../api/lottery.ts';
import { formatTime } from '../../lib/dates.ts';
import { shortNumero } from '../../lib/numero.ts';
import { Link, useAddressQuery } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { DrawResult } from '../../ui/display/DrawResult.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { TimeLeft } from './LotteryCard.tsx';
import { useLotteryGames } from './useLotteryGames.ts';

import styles from './StartLotteryScreen.module.css';

/** One lottery before it starts: its next draw, its last result, and how to play it. */
export default function StartLotteryScreen() {
  const { t } = useLingui();
  const games = useLotteryGames();
  const gameId = useAddressQuery().get('gameId');
  return (
    <QueryView
      query={games}
      skeleton={<Skeleton shape="box" height={360} />}
      className={styles.screen}
    >
      {(list) => {
        const game = gameId === null ? list[0] : list.find((each) => each.gameId === gameId);
        if (game) return <Start key={game.gameId} game={game} />;
        return (
          <Empty
            icon="ticket"
            title={t`This lottery is not open now`}
            actions={
              <Link to="/m/lottery" className={buttonClass({ size: 'md' })}>
                {t`All lotteries`}
              </Link>
            }
          />
        );
      }}
    </QueryView>
  );
}

function Start({ game }: { game: LotteryGame }) {
  const { t, i18n } = useLingui();
  const query = useAddressQuery();
  // The simple plays are the default where a game has them (GL-06).
  const hasSimple = game.lottoMode.includes('Entertainment');
  const [playType, setPlayType] = useState<string>(hasSimple ? 'ent' : 'trad');
  const [prizeMode, setPrizeMode] = useState<string>(game.prizeModes[0] ?? '');
  const { last } = game;
  const name = shortNumero(game.numero);
  return (
    <article className={styles.card}>
      <div className={styles.head}>
        <h2 className={styles.name}>
          <bdi>{game.gameName}</bdi>
        </h2>
        <TimeLeft game={game} />
      </div>
      <p className={styles.text}>
        {t`Draw ${name}`} · {formatTime(game.drawTime, i18n.locale)}
      </p>
      {last && (
        <p className={styles.last}>
          {t`Result ${shortNumero(last.numero)}`}
          <DrawResult type={game.type} winNo={last.winNo} />
        </p>
      )}
      {game.simulated && (
        <p className={styles.text}>
          {t`This demo draws this game itself. The results are not those of the real draw.`}
        </p>
      )}
      {hasSimple && (
        <Segmented
          label={t`Play type`}
          options={[
            { value: 'ent', label: t`Simple` },
            { value: 'trad', label: t`All bets` },
          ]}
          value={playType}
          onChange={setPlayType}
        />
      )}
      <Segmented
        label={t`Price list`}
        options={game.prizeModes.map((mode) => ({
          value: mode,
          label: mode === 'ZY' ? t`ZY, with 1.5 % back` : mode,
        }))}
        value={prizeMode}
        onChange={setPrizeMode}
      />
      <Link
        to={lotteryPath(game, { playType, prizeMode, fromHome: query.has('pageBack') })}
        className={buttonClass({ full: true })}
      >
        {t`Play now`}
      </Link>
      <Link
        to={`/m/lotteryHistory?gameId=${game.gameId}`}
        className={buttonClass({ variant: 'text', size: 'md', full: true })}
      >
        {t`All results`}
      </Link>
    </article>
  );
}
