import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import {
  useInfiniteQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import { betKey, betsQuery, type Bet, type BetFilter, type BetPage } from '../../api/bets.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import type { Currency } from '../../lib/currency.ts';
import { cx } from '../../lib/cx.ts';
import { startOfDay } from '../../lib/dates.ts';
import { Link, navigate, useAddressQuery } from '../../lib/router.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useLoadMore } from '../../ui/useLoadMore.ts';
import { BetRow } from './BetRow.tsx';
import { DayChart } from './DayChart.tsx';
import { sumByDay, type Day } from './days.ts';
import { filterOf, readRecord, recordPath } from './filter-url.ts';
import { Filters } from './Filters.tsx';

import styles from './RecordScreen.module.css';

/** The member's rounds and the totals of a period. */
export default function RecordScreen() {
  const query = useAddressQuery().toString();
  const view = useMemo(() => readRecord(new URLSearchParams(query)), [query]);
  const [now] = useState(() => Date.now());
  const filter = useMemo(() => filterOf(view, now), [view, now]);
  return (
    <div className={styles.screen}>
      <Filters
        view={view}
        isRangeInvalid={filter === null}
        onChange={(next) => navigate(recordPath(next), { replace: true })}
      />
      {filter && <Rounds key={JSON.stringify(filter)} filter={filter} now={now} />}
    </div>
  );
}

function Rounds({ filter, now }: { filter: BetFilter; now: number }) {
  const query = useInfiniteQuery(betsQuery(useLanguage(), filter));
  return (
    <QueryView
      query={query}
      className={styles.content}
      skeleton={
        <>
          <Skeleton shape="box" height={148} />
          {[0, 1, 2, 3].map((i) => (
            <Skeleton key={i} shape="box" height={68} />
          ))}
        </>
      }
    >
      {({ pages }) => <RoundList query={query} pages={pages} filter={filter} now={now} />}
    </QueryView>
  );
}

type RoundListProps = {
  query: UseInfiniteQueryResult<InfiniteData<BetPage>>;
  pages: readonly BetPage[];
  filter: BetFilter;
  now: number;
};

function RoundList({ query, pages, filter, now }: RoundListProps) {
  const { t } = useLingui();
  const { error, hasNextPage, isFetchNextPageError, isFetchingNextPage } = query;
  const first = pages[0];
  const { currency } = useCurrencyOf(first?.currency);
  const end = useLoadMore(
    hasNextPage && !isFetchingNextPage && !isFetchNextPageError,
    () => void query.fetchNextPage(),
  );
  const rows = useMemo(() => uniqueBets(pages), [pages]);
  const days = useMemo(() => sumByDay(first?.hours ?? [], filter, now), [first, filter, now]);

  if (!first || rows.length === 0) return <NoRounds hasFilters={isFiltered(filter)} />;
  return (
    <>
      {first.totals && <Totals totals={first.totals} days={days} now={now} currency={currency} />}
      {byDay(rows).map(([day, dayBets]) => (
        <DayList
          key={day}
          day={day}
          net={days.find(({ start }) => start === day)?.net}
          bets={dayBets}
          currency={currency}
        />
      ))}
      <div ref={end} />
      {isFetchingNextPage && <Skeleton shape="box" height={68} />}
      {isFetchNextPageError && (
        <ErrorRetry
          detail={describeError(error)}
          answered={wasAnswered(error)}
          onRetry={() => query.fetchNextPage()}
        />
      )}
      {!hasNextPage && <p className={styles.end}>{t`That is all for this period.`}</p>}
    </>
  );
}

/** Removes duplicates: new rounds shift the pages. */
function uniqueBets(pages: readonly BetPage[]): Bet[] {
  const rows = new Map<string, Bet>();
  for (const bet of pages.flatMap(({ list }) => list)) {
    const key = betKey(bet);
    if (!rows.has(key)) rows.set(key, bet);
  }
  return [...rows.values()];
}

function byDay(bets: readonly Bet[]): [day: number, bets: Bet[]][] {
  const days = new Map<number, Bet[]>();
  for (const bet of bets) {
    const day = startOfDay(bet.startedAt);
    days.set(day, [...(days.get(day) ?? []), bet]);
  }
  return [...days];
}

const isFiltered = ({ category, vendor, status }: BetFilter) =>
  category !== '' || vendor !== '' || status !== 'all';

type TotalsProps = {
  totals: NonNullable<BetPage['totals']>;
  days: readonly Day[];
  now: number;
  currency: Currency;
};

/** The totals of the whole period, not only of the loaded rounds. */
function Totals({ totals, days, now, currency }: TotalsProps) {
  const { t } = useLingui();
  const { rounds, stake, win, jackpot, net, open, promo } = totals;
  return (
    <section className={styles.totals} aria-label={t`Totals of this period`}>
      <div className={styles.lead}>
        <p className={styles.label}>{t`Net result`}</p>
        <p
          className={styles.label}
        >{t`${plural(rounds, { one: '# round', other: '# rounds' })}`}</p>
        <p className={cx(styles.net, net > 0 && styles.won, net < 0 && styles.lost)}>
          <Amount value={net} currency={currency} signed />
        </p>
      </div>
      <dl className={styles.sums}>
        <div>
          <dt>{t`Staked`}</dt>
          <dd>
            <Amount value={stake} currency={currency} />
          </dd>
        </div>
        <div>
          <dt>{t`Paid back`}</dt>
          <dd>
            <Amount value={win} currency={currency} />
          </dd>
        </div>
        {open > 0 && (
          <div>
            <dt>{t`Still running`}</dt>
            <dd>
              <Amount value={open} currency={currency} />
            </dd>
          </div>
        )}
        {jackpot > 0 && (
          <div>
            <dt>{t`Jackpot`}</dt>
            <dd>
              <Amount value={jackpot} currency={currency} />
            </dd>
          </div>
        )}
        {promo > 0 && (
          <div>
            <dt>{t`Promotion`}</dt>
            <dd>
              <Amount value={promo} currency={currency} />
            </dd>
          </div>
        )}
      </dl>
      {days.length > 1 && <DayChart days={days} now={now} currency={currency} />}
    </section>
  );
}

type DayListProps = { day: number; net: number | undefined; bets: Bet[]; currency: Currency };

function DayList({ day, net, bets, currency }: DayListProps) {
  const { t, i18n } = useLingui();
  const name = new Intl.DateTimeFormat(i18n.locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    numberingSystem: 'latn',
  }).format(day);
  return (
    <section className={styles.day} aria-label={name}>
      <div className={styles.dayHead}>
        <h2 className={styles.date}>{name}</h2>
        {net !== undefined && (
          <p className={cx(styles.date, net > 0 && styles.won, net < 0 && styles.lost)}>
            {t`Net`} <Amount value={net} currency={currency} signed />
          </p>
        )}
      </div>
      <ul className={styles.list}>
        {bets.map((bet) => (
          <li key={betKey(bet)}>
            <BetRow bet={bet} currency={currency} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoRounds({ hasFilters }: { hasFilters: boolean }) {
  const { t } = useLingui();
  return (
    <Empty
      art={artUrl('spots/empty.webp')}
      icon="receipt"
      title={t`No rounds here`}
      text={
        hasFilters
          ? t`Nothing fits these filters in this period.`
          : t`You have not played in this period.`
      }
      actions={
        hasFilters ? (
          <Link to="/m/gameRecord" replace className={buttonClass({ size: 'md' })}>
            {t`Clear the filters`}
          </Link>
        ) : (
          <Link to="/m/game" className={buttonClass({ size: 'md' })}>
            {t`To the games`}
          </Link>
        )
      }
    />
  );
}
