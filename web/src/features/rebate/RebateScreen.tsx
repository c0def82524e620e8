import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';

import { useCurrencyOf } from '../../api/amounts.ts';
import { categories } from '../../api/category-table.ts';
import { claimRebate, rebateKey, rebateQuery, type Rebate } from '../../api/loyalty.ts';
import { rewardsKey } from '../../api/rewards.ts';
import { walletQuery } from '../../api/wallet.ts';
import { artUrl } from '../../lib/art.ts';
import type { Currency } from '../../lib/currency.ts';
import { formatDay, formatTime } from '../../lib/dates.ts';
import { Amount } from '../../ui/Amount.tsx';
import { Button } from '../../ui/Button.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { useSubmit } from '../../ui/form/useSubmit.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './RebateScreen.module.css';

/** Cash back: stakes and rate of each category, and the claim. */
export default function RebateScreen() {
  const query = useQuery(rebateQuery);
  return (
    <div className={styles.screen}>
      <QueryView
        query={query}
        className={styles.content}
        skeleton={
          <>
            <Skeleton shape="box" height={72} />
            <Skeleton shape="box" height={360} />
          </>
        }
      >
        {(rebate) => <Content rebate={rebate} />}
      </QueryView>
    </div>
  );
}

function Content({ rebate }: { rebate: Rebate }) {
  const { t, i18n } = useLingui();
  const { currency } = useCurrencyOf(rebate.currency);
  const { every, from, level, history, list, running } = rebate;
  const day = formatDay(from, i18n.locale);
  return (
    <>
      <section className={styles.head}>
        <div>
          <p className={styles.detail}>
            {every === 'day' ? t`Cash back of ${day}` : t`Cash back of the week from ${day}`}
          </p>
          <p className={styles.sum}>
            <Amount value={rebate.amount} currency={currency} fit />
          </p>
        </div>
        <div className={styles.side}>
          <p className={styles.detail}>{t`Valid stakes`}</p>
          <b>
            <Amount value={rebate.turnover} currency={currency} />
          </b>
        </div>
      </section>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t`Games and valid stakes`}</th>
            <th scope="col">{t({ message: `Rate at VIP ${level}` })}</th>
            <th scope="col">{t`Cash back`}</th>
          </tr>
        </thead>
        <tbody>
          {(list ?? []).map(({ category, turnover, percent, amount }) => (
            <tr key={category}>
              <th scope="row">
                <Game category={category} turnover={turnover} currency={currency} />
              </th>
              <td>{new Intl.NumberFormat(i18n.locale).format(percent)}%</td>
              <td>
                <b>
                  <Amount value={amount} currency={currency} />
                </b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.detail}>
        {t`Stakes of settled rounds count, without refunds and without stakes of a bonus.`}{' '}
        {t`Current period so far:`} <Amount value={running} currency={currency} />
      </p>
      <Claim rebate={rebate} />
      {history && history.length > 0 && (
        <section>
          <h2 className={styles.title}>{t`History`}</h2>
          <ul className={styles.list}>
            {history.map(({ period, amount, claimedAt }) => (
              <li key={period}>
                <span>{formatTime(claimedAt, i18n.locale)}</span>
                <b>
                  <Amount value={amount} currency={currency} />
                </b>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

type GameProps = { category: string; turnover: number; currency: Currency };

function Game({ category, turnover, currency }: GameProps) {
  const { i18n } = useLingui();
  const known = categories.find(({ code }) => code === category);
  return (
    <span className={styles.game}>
      <img src={artUrl(`icons/${known?.art ?? 'all'}.webp`)} alt="" width={32} height={32} />
      <span>
        {known ? i18n._(known.name) : category}
        <small>
          <Amount value={turnover} currency={currency} />
        </small>
      </span>
    </span>
  );
}

function Claim({ rebate }: { rebate: Rebate }) {
  const { t, i18n } = useLingui();
  const cache = useQueryClient();
  const { currency } = useCurrencyOf(rebate.currency);
  const { submit, busy, error } = useSubmit({
    send: (_: null, key) => claimRebate(key),
    onDone: async (claimed) => {
      cache.setQueryData(rebateKey, claimed);
      toast.success(t`It is in your wallet`);
      await Promise.all(
        [rebateKey, rewardsKey, walletQuery.queryKey].map((queryKey) =>
          cache.invalidateQueries({ queryKey }),
        ),
      );
    },
  });
  if (rebate.state !== 'open')
    return (
      <p role="status" className={styles.status}>
        {rebate.state === 'claimed' ? (
          t`Claimed`
        ) : (
          <>
            {t`Nothing to claim. The least amount is`}{' '}
            <Amount value={rebate.min} currency={currency} />
          </>
        )}
      </p>
    );
  return (
    <div className={styles.dock}>
      <p className={styles.detail}>{t`Claim before ${formatTime(rebate.claimBy, i18n.locale)}`}</p>
      <FormError text={error} />
      <Button busy={busy} onPress={() => void submit(null)}>
        {t`Claim`} <Amount value={rebate.amount} currency={currency} />
      </Button>
    </div>
  );
}
