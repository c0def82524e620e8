import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';

import { lotterySeriesQuery, lotteryVoidDrawsQuery } from '../../api/lottery.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { Button } from '../../ui/Button.tsx';
import { Hex } from '../../ui/display/Hex.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';

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
  const draws = useInfiniteQuery({
    ...lotteryVoidDrawsQuery(gameId),
    select: ({ pages }) => pages.flatMap(({ list }) => list),
  });
  if (draws.error && !draws.data) {
    return (
      <ErrorRetry
        detail={describeError(draws.error)}
        answered={wasAnswered(draws.error)}
        onRetry={draws.refetch}
      />
    );
  }
  if (!draws.data || draws.data.length === 0) return null;
  return (
    <>
      <p className={styles.note}>
        {t`Void draws with their seeds, from which anyone can compute what would have been drawn. The stakes were returned.`}
      </p>
      <ol className={styles.steps}>
        {draws.data.map(({ numero, proof }) => (
          <li key={numero} className={styles.detail}>
            <bdi dir="ltr">{numero}</bdi>
            {proof && <Hex label={t`Seed of draw ${numero}`} value={proof.seed} />}
          </li>
        ))}
      </ol>
      {draws.hasNextPage && (
        <Button
          variant="secondary"
          size="md"
          busy={draws.isFetchingNextPage}
          onPress={() => void draws.fetchNextPage()}
        >
          {t`Older draws`}
        </Button>
      )}
    </>
  );
}
