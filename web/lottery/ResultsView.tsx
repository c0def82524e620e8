import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import { formatTime } from '../src/lib/dates.ts';
import { shortNumero } from '../src/lib/numero.ts';
import { useLoad } from '../src/lib/useLoad.ts';
import { Button } from '../src/ui/Button.tsx';
import { PrizeTable, DrawResult, DrawTotal } from '../src/ui/display/DrawResult.tsx';
import { QueryView } from '../src/ui/display/QueryView.tsx';
import { Empty } from '../src/ui/Empty.tsx';
import { IconButton } from '../src/ui/IconButton.tsx';
import { Skeleton } from '../src/ui/Skeleton.tsx';
import { lottery } from './api.ts';
import { useGameContext } from './context.ts';
import { usePages } from './usePages.ts';
import type { Draw } from './wire.ts';

import styles from './ResultsView.module.css';

const pageSize = 20;

export type ResultsViewProps = {
  /** Changes with each new result. */
  version: string;
  onProof: (draw: Draw) => void;
};

/** Lists the results of the game, newest first. */
export function ResultsView({ version, onProof }: ResultsViewProps) {
  const { t } = useLingui();
  const { game } = useGameContext();
  const draws = usePages(`${game.gameId} ${version}`, (cursor) =>
    lottery.draws(game.gameId, cursor, pageSize),
  );
  return (
    <QueryView
      query={draws}
      skeleton={<Skeleton shape="box" height={320} />}
      isEmpty={(list) => list.length === 0}
      empty={<Empty icon="clock" title={t`No draw yet`} />}
    >
      {(list) => (
        <>
          <ul className={styles.list}>
            {list.map((draw) => (
              <DrawRow key={draw.numero} draw={draw} onProof={onProof} />
            ))}
          </ul>
          {draws.hasMore && (
            <Button
              variant="secondary"
              size="md"
              full
              busy={draws.isFetching}
              onPress={draws.more}
              className={styles.more}
            >
              {t`Show more`}
            </Button>
          )}
        </>
      )}
    </QueryView>
  );
}

function DrawRow({ draw, onProof }: { draw: Draw; onProof: (draw: Draw) => void }) {
  const { t, i18n } = useLingui();
  const { game } = useGameContext();
  const [isOpen, setOpen] = useState(false);
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
            onPress={() => onProof(draw)}
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
      {isOpen && <Prizes numero={draw.numero} />}
    </li>
  );
}

function Prizes({ numero }: { numero: string }) {
  const { game } = useGameContext();
  const prizes = useLoad(`${game.gameId} ${numero}`, () => lottery.prizes(game.gameId, numero));
  return (
    <QueryView query={prizes} skeleton={<Skeleton shape="box" height={200} />}>
      {(data) => <PrizeTable prizes={data.prizes} />}
    </QueryView>
  );
}
