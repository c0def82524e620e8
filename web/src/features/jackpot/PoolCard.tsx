import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import { categories } from '../../api/category-table.ts';
import { drawPath, poolQuery, type Pool } from '../../api/pool.ts';
import { artUrl } from '../../lib/art.ts';
import type { Currency } from '../../lib/currency.ts';
import { formatTime } from '../../lib/dates.ts';
import { formatMoney, formatNumber } from '../../lib/money.ts';
import { Link } from '../../lib/router.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { Figure, CaptionedStats } from '../../ui/display/CaptionedStats.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { TallSkeleton } from './TallSkeleton.tsx';

import styles from './JackpotScreen.module.css';

/** The real jackpot pool: amount, rules, commitments and past wins. */
export function PoolCard() {
  const query = useQuery(poolQuery);
  const { currency } = useCurrencyOf(query.data?.currency);
  return (
    <QueryView query={query} skeleton={<TallSkeleton height={340} />} className={styles.cards}>
      {(pool) => (
        <>
          {pool.beginsAt > 0 ? (
            <PausedPool pool={pool} />
          ) : (
            <ActivePool pool={pool} currency={currency} />
          )}
          {pool.commitment !== '' && <Commitments pool={pool} />}
          <PastWins pool={pool} currency={currency} />
        </>
      )}
    </QueryView>
  );
}

type PoolProps = { pool: Pool; currency: Currency };

/** The pool has reached its daily limit of wins. It is empty, and stakes do not take part. */
function PausedPool({ pool }: { pool: Pool }) {
  const { t, i18n } = useLingui();
  const when = formatTime(pool.beginsAt, i18n.locale);
  return (
    <section aria-label={t`Jackpot`} className={styles.card}>
      <h2 className={styles.title}>{t`Jackpot`}</h2>
      <p className={styles.text}>
        {t`The jackpot has reached its limit of wins in 24 hours. The next series begins at ${when}. Until then stakes do not add to the jackpot and cannot win it. Earlier stakes still count.`}
      </p>
    </section>
  );
}

function ActivePool({ pool, currency }: PoolProps) {
  const { t, i18n } = useLingui();
  const language = i18n.locale;
  const number = (n: number, pattern = '#,##0') => formatNumber(n, { pattern, language });
  const share = number(pool.sharePerMille / 10, '#,##0.0');
  // The chance for a typical stake of 100 units. The isolates keep the amount together in right-to-left text.
  const money = formatMoney(pool.unit * 100, { currency, language, decimals: 'needed' });
  const hundred = `\u2066${money}\u2069`;
  const chances = number(pool.parts / 100);
  const perDay = number(pool.perDay);
  return (
    <CaptionedStats
      title={t`Jackpot`}
      simulated={false}
      lead={t`This is what is in the pool right now.`}
      className={styles.card}
    >
      <div className={styles.amount}>
        <Picture src={artUrl('icons/money-bag.webp')} size={56} />
        <Figure className={styles.counter}>
          <Amount value={pool.amount} currency={currency} decimals="needed" />
        </Figure>
      </div>
      <dl className={styles.facts}>
        <dt>{t`Began with`}</dt>
        <dd>
          <Figure>
            <Amount value={pool.seed} currency={currency} decimals="needed" />
          </Figure>
        </dd>
        <dt>{t`Share of each stake`}</dt>
        <dd>
          {pool.sharePerMille > 0 ? (
            <bdi dir="ltr">{share}%</bdi>
          ) : (
            t`None any more: it is played for until it is won`
          )}
        </dd>
        <dt>{t`Chance`}</dt>
        <dd>
          <Figure>{t`1 in ${chances} for each ${hundred} staked`}</Figure>
        </dd>
        <dt>{t`Counts of one stake at most`}</dt>
        <dd>
          <Figure>
            <Amount value={pool.most} currency={currency} decimals="needed" />
          </Figure>
        </dd>
        <dt>{t`Wins in 24 hours at most`}</dt>
        <dd>{t`${perDay}, then it rests`}</dd>
        <dt>{t`Grows to at most`}</dt>
        <dd>
          <Figure>
            <Amount value={pool.cap} currency={currency} decimals="needed" />
          </Figure>
        </dd>
        <dt>{t`Games`}</dt>
        <dd>
          <Games games={pool.games} />
        </dd>
        <dt>{t`Draws so far`}</dt>
        <dd>
          <bdi dir="ltr">{number(pool.draws)}</bdi>
        </dd>
        <dt>{t`Source`}</dt>
        <dd>{t`The server’s books`}</dd>
      </dl>
    </CaptionedStats>
  );
}

/** The most vendors that the game list can filter by. */
const maxFilterVendors = 20;

/** Links to the lists of the games that take part. */
function Games({ games }: Pick<Pool, 'games'>) {
  const { t } = useLingui();
  return games.map(({ category, vendors }, i) => {
    const query = new URLSearchParams({ gameType: category });
    if (vendors && vendors.length <= maxFilterVendors) query.set('vassalage', vendors.join(','));
    const info = categories.find(({ code }) => code === category);
    return (
      <Fragment key={category}>
        {i > 0 && ' · '}
        <Link to={`/m/gameList?${query.toString()}`} className={styles.games}>
          {info ? t(info.name) : category}
        </Link>
      </Fragment>
    );
  });
}

/** The digests of the seeds, published before the first draw. */
function Commitments({ pool }: { pool: Pool }) {
  const { t, i18n } = useLingui();
  return (
    <section aria-label={t`Promised before the draws`} className={styles.card}>
      <h2 className={styles.title}>{t`Promised before the draws`}</h2>
      <p className={styles.text}>
        {t`Every draw of this series comes from one secret number, which cannot be changed any more: its digest was published before. When the pool is won the number is shown, and anybody can do every draw again.`}
      </p>
      <dl className={styles.digests}>
        <dt>
          {t`Series ${pool.series}`} · {formatTime(pool.publishedAt, i18n.locale)}
        </dt>
        <dd>
          <code dir="ltr">{pool.commitment}</code>
        </dd>
        {pool.nextCommitment !== '' && (
          <>
            <dt>{t`Series ${pool.series + 1}`}</dt>
            <dd>
              <code dir="ltr">{pool.nextCommitment}</code>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

function PastWins({ pool, currency }: PoolProps) {
  const { t, i18n } = useLingui();
  return (
    <CaptionedStats title={t`Won before`} simulated={false}>
      {pool.wins.length === 0 ? (
        <p className={styles.text}>{t`Nobody has won it yet.`}</p>
      ) : (
        <ul className={styles.list}>
          {pool.wins.map((win) => (
            <li key={win.series} className={styles.row}>
              <div className={styles.words}>
                <p>
                  <bdi>{win.account}</bdi> ·{' '}
                  <Figure className={styles.strong}>
                    <Amount value={win.amount} currency={currency} decimals="needed" />
                  </Figure>
                </p>
                <p className={styles.text}>{formatTime(win.wonAt, i18n.locale)}</p>
              </div>
              <Link
                to={drawPath({ currency: pool.currency, series: win.series, nonce: win.nonce })}
                className={styles.check}
              >
                {t`Check`}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </CaptionedStats>
  );
}
