import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';

import { lotterySeriesQuery, lotteryVoidDrawsQuery } from '../../api/lottery.ts';
import { Button } from '../../ui/Button.tsx';
import { Hex } from '../../ui/display/Hex.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';

import styles from './FairnessScreen.module.css';

/** How many draws of a series are void, and the void draws of its game with their seeds. */
export function VoidDraws({ series, gameId }: { series: string; gameId: string | undefined }) {
  const { t } = useLingui();
  const { data: counted } = useQuery(lotterySeriesQuery(series));
  return (
    <>
      {counted && (
        <p className={styles.note}>
          {t`${plural(counted.voided, {
            one: '# draw of this series is void.',
            other: '# draws of this series are void.',
          })}`}
        </p>
      )}
      {gameId !== undefined && <List gameId={gameId} />}
    </>
  );
}

function List({ gameId }: { gameId: string }) {
  const { t } = useLingui();
  const query = useInfiniteQuery({
    ...lotteryVoidDrawsQuery(gameId),
    select: ({ pages }) => pages.flatMap(({ list }) => list),
  });
  return (
    <QueryView
      query={query}
      className={styles.loaded}
      isEmpty={(draws) => draws.length === 0}
      empty={null}
    >
      {(draws) => (
        <>
          <p className={styles.note}>
            {t`Void draws with their seeds, from which anyone can compute what would have been drawn. The stakes were returned.`}
          </p>
          <ol className={styles.steps}>
            {draws.map(({ numero, proof }) => (
              <li key={numero} className={styles.detail}>
                <bdi dir="ltr">{numero}</bdi>
                {proof && <Hex label={t`Seed of draw ${numero}`} value={proof.seed} />}
              </li>
            ))}
          </ol>
          {query.hasNextPage && (
            <Button
              variant="secondary"
              size="md"
              busy={query.isFetchingNextPage}
              onPress={() => void query.fetchNextPage()}
            >
              {t`Older draws`}
            </Button>
          )}
        </>
      )}
    </QueryView>
  );
}
