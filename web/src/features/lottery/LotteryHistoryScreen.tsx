import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import {
  lotteryDrawsQuery,
  lotteryPrizesQuery,
  type LotteryDraw,
  type LotteryGame,
} from '../../api/lottery.ts';
import { formatTime } from '../../lib/dates.ts';
import { shortNumero } from '../../lib/numero.ts';
import { navigate, useAddressQuery } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { DrawResult, DrawTotal, PrizeTable } from '../../ui/display/DrawResult.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { SelectField } from '../../ui/form/SelectField.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { lazyPopup } from '../../ui/lazyPopup.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useLotteryGames } from './useLotteryGames.ts';

import styles from './LotteryHistoryScreen.module.css';

const DrawProofSheet = lazyPopup(() => import('./DrawProofSheet.tsx'));

/** The results of a lottery. The address names it. */
export default function LotteryHistoryScreen() {
  const { t } = useLingui();
  const games = useLotteryGames();
  const requested = useAddressQuery().get('gameId');
  return (
    <QueryView
      query={games}
      skeleton={<Skeleton shape="box" height={480} />}
      isEmpty={(list) => list.length === 0}
      empty={<Empty icon="ticket" title={t`No lottery is open now`} />}
      className={styles.screen}
    >
      {(list) => {
        const game = list.find(({ gameId }) => gameId === requested) ?? list[0];
        if (!game) return null;
        return (
          <>
            <SelectField
              label={t`Lottery`}
              options={list.map(({ gameId, gameName }) => ({ value: gameId, label: gameName }))}
              value={game.gameId}
              onChange={(gameId) =>
                navigate(`/m/lotteryHistory?gameId=${gameId}`, { replace: true })
              }
            />
            {game.simulated && (
              <p className={styles.note}>
                {t`This demo draws this game itself. The results are not those of the real draw.`}
              </p>
            )}
            <Draws key={game.gameId} game={game} />
          </>
        );
      }}
    </QueryView>
  );
}

function Draws({ game }: { game: LotteryGame }) {
  const { t } = useLingui();
  const draws = useInfiniteQuery({
    ...lotteryDrawsQuery(game.gameId),
    select: ({ pages }) => pages.flatMap(({ list }) => list),
  });
  return (
    <QueryView
      query={draws}
      skeleton={<Skeleton shape="box" height={400} />}
      isEmpty={(list) => list.length === 0}
      empty={<Empty icon="clock" title={t`No result yet`} />}
    >
      {(list) => (
        <>
          <ul className={styles.list}>
            {list.map((draw) => (
              <DrawRow key={draw.numero} game={game} draw={draw} />
            ))}
          </ul>
          {draws.hasNextPage && (
            <Button
              variant="secondary"
              size="md"
              full
              busy={draws.isFetchingNextPage}
              onPress={() => void draws.fetchNextPage()}
            >
              {t`Show more`}
            </Button>
          )}
        </>
      )}
    </QueryView>
  );
}

function DrawRow({ game, draw }: { game: LotteryGame; draw: LotteryDraw }) {
  const { t, i18n } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const [showsProof, setProof] = useState(false);
  const name = shortNumero(draw.numero);
  return (
    <li className={styles.row}>
      <div className={styles.line}>
        <span className={styles.numero}>
          <b>{name}</b>
          <span>{formatTime(draw.drawTime, i18n.locale)}</span>
        </span>
        <span className={styles.result}>
          <DrawResult type={game.type} winNo={draw.winNo} small />
          <DrawTotal type={game.type} winNo={draw.winNo} />
        </span>
        {draw.proof && (
          <IconButton
            icon="shield-check"
            label={t`Check draw ${name}`}
            onPress={() => setProof(true)}
          />
        )}
        {game.type === 'regional' && (
          <IconButton
            icon="caret-down"
            label={t`Prizes of draw ${name}`}
            pressed={isOpen}
            onPress={() => setOpen(!isOpen)}
          />
        )}
      </div>
      {isOpen && <Prizes gameId={game.gameId} numero={draw.numero} />}
      {draw.proof && (
        <DrawProofSheet
          open={showsProof}
          onClose={() => setProof(false)}
          game={game}
          draw={draw}
          proof={draw.proof}
        />
      )}
    </li>
  );
}

function Prizes({ gameId, numero }: { gameId: string; numero: string }) {
  const prizes = useQuery(lotteryPrizesQuery(gameId, numero));
  return (
    <QueryView query={prizes} skeleton={<Skeleton shape="box" height={220} />}>
      {(data) => <PrizeTable prizes={data.prizes} />}
    </QueryView>
  );
}
