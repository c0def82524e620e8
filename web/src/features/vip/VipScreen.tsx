import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { useCurrencyOf } from '../../api/amounts.ts';
import { rankQuery, type Rank } from '../../api/loyalty.ts';
import { artUrl } from '../../lib/art.ts';
import { cx } from '../../lib/cx.ts';
import { formatDay } from '../../lib/dates.ts';
import { Amount } from '../../ui/Amount.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './VipScreen.module.css';

/** The member's level, the way to the next one, and what each level brings. */
export default function VipScreen() {
  const query = useQuery(rankQuery);
  return (
    <div className={styles.screen}>
      <QueryView
        query={query}
        className={styles.content}
        skeleton={
          <>
            <Skeleton shape="box" height={150} />
            <Skeleton shape="box" height={320} />
          </>
        }
      >
        {(rank) => <Content rank={rank} />}
      </QueryView>
    </div>
  );
}

const icons = { passed: 'check-bold', current: 'crown-fill', ahead: 'lock-key' } as const;

function Content({ rank }: { rank: Rank }) {
  const { t, i18n } = useLingui();
  const { currency } = useCurrencyOf(rank.currency);
  const { name, level, days, until, turnover, next, left } = rank;
  const percent = next > 0 ? Math.min(100, Math.floor((100 * turnover) / next)) : 100;
  const levels = rank.levels ?? [];
  const number = new Intl.NumberFormat(i18n.locale);
  const short = (value: number) => (
    <Amount value={value} currency={currency} short fullDigits={6} />
  );
  return (
    <>
      <section className={styles.card} aria-label={name}>
        <div className={styles.head}>
          <img src={artUrl('icons/crown.webp')} alt="" width={64} height={64} />
          <h2 className={styles.name}>
            <bdi>{name}</bdi>
          </h2>
          {until > 0 && (
            <p className={styles.until}>{t`Kept until ${formatDay(until, i18n.locale)}`}</p>
          )}
        </div>
        <div
          role="progressbar"
          aria-label={t`Way to the next level`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          className={styles.bar}
        >
          <span style={{ inlineSize: `${percent}%` }} />
        </div>
        <p className={styles.way}>
          {next > 0 ? (
            <>
              <span>
                <Amount value={turnover} currency={currency} /> /{' '}
                <Amount value={next} currency={currency} />
              </span>
              <bdi>VIP {level + 1}</bdi>
            </>
          ) : (
            t`This is the highest level`
          )}
        </p>
        {next > 0 && (
          <p className={styles.way}>
            {t`Still to stake:`} <Amount value={left} currency={currency} />
          </p>
        )}
      </section>
      <p className={styles.info}>
        {days > 0
          ? t({ message: `Stakes of settled rounds in the last ${days} days count, not losses.` })
          : t`All stakes of settled rounds count, not losses.`}{' '}
        {t`You need no level to withdraw.`}
      </p>
      <h2 className={styles.title}>{t`Levels`}</h2>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t`Level`}</th>
            <th scope="col">{t`Stakes`}</th>
            <th scope="col">{t`Cash back`}</th>
            <th scope="col">{t`Reward`}</th>
          </tr>
        </thead>
        <tbody>
          {levels.toReversed().map((each) => (
            <tr
              key={each.level}
              className={cx(each.state === 'current' && styles.current)}
              aria-current={each.state === 'current' ? 'true' : undefined}
            >
              <th scope="row">
                <span className={styles.level}>
                  <Icon name={icons[each.state]} size={16} /> <bdi>{each.name}</bdi>
                </span>
              </th>
              <td>{short(each.turnover)}</td>
              <td>
                <bdi dir="ltr">+{number.format(each.percent)}%</bdi>
              </td>
              <td>{each.reward > 0 ? short(each.reward) : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.info}>
        {t`The reward of a level is paid once. You find it in the reward centre.`}
      </p>
    </>
  );
}
