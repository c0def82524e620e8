import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';

import { useCurrencyOf } from '../../api/amounts.ts';
import { drawPath, ownDrawsQuery, type OwnDraw } from '../../api/pool.ts';
import { formatTime } from '../../lib/dates.ts';
import { Link } from '../../lib/router.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { Button } from '../../ui/Button.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './JackpotScreen.module.css';

/** The member's own stakes and their draws. */
export function OwnDraws() {
  const { t } = useLingui();
  const draws = useInfiniteQuery(ownDrawsQuery);
  const { hasNextPage, isFetchingNextPage } = draws;
  return (
    <section aria-label={t`Your draws`}>
      <h2 className={styles.title}>{t`Your draws`}</h2>
      <QueryView
        query={draws}
        skeleton={<Skeleton shape="box" height={120} className={styles.skeleton} />}
        isEmpty={({ pages }) => pages.every(({ list }) => list.length === 0)}
        empty={
          <p className={styles.text}>
            {t`You have no draw yet. Each stake on a game of the pool is one.`}
          </p>
        }
      >
        {({ pages }) => (
          <>
            <ul className={styles.list}>
              {pages
                .flatMap(({ list }) => list)
                .map((own) => (
                  <Row key={`${own.vendor} ${own.roundId} ${own.at}`} own={own} />
                ))}
            </ul>
            {hasNextPage && (
              <Button
                variant="secondary"
                size="md"
                busy={isFetchingNextPage}
                onPress={() => void draws.fetchNextPage()}
              >
                {t`Show more`}
              </Button>
            )}
          </>
        )}
      </QueryView>
    </section>
  );
}

function Row({ own: { draw, state, at } }: { own: OwnDraw }) {
  const { t, i18n } = useLingui();
  const { currency } = useCurrencyOf(draw.currency);
  const { series, nonce } = draw;
  const outcome =
    state === 'open'
      ? t`Drawn when the round is settled`
      : state === 'void'
        ? t`No part in a draw`
        : draw.won === null
          ? t`Series ${series}, draw ${nonce}: not won`
          : t`Series ${series}, draw ${nonce}: won`;
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p>
          {t`Stake`} <Amount value={draw.stake} currency={currency} decimals="needed" />
          {draw.won !== null && (
            <>
              {' · '}
              <span className={styles.strong}>
                <Amount value={draw.won} currency={currency} decimals="needed" />
              </span>
            </>
          )}
        </p>
        <p className={styles.text}>
          {outcome} · {formatTime(at, i18n.locale)}
        </p>
      </div>
      {state === 'drawn' && (
        <Link to={drawPath(draw)} className={styles.check}>
          {t`Check`}
        </Link>
      )}
    </li>
  );
}
