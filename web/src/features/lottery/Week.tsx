import { useLingui } from '@lingui/react/macro';

import type { LotteryGame } from '../../api/lottery.ts';
import { Link } from '../../lib/router.tsx';

import styles from './LotteryScreen.module.css';

type Region = {
  region: 'north' | 'central' | 'south';
  days: readonly { weekday: number; games: readonly string[] }[];
};

/** A Monday, to name the days of a week. */
const monday = Date.UTC(2026, 0, 5, 12);
const dayMs = 86_400_000;

/** Which provinces draw on which day. */
export function Week({
  regions,
  games,
}: {
  regions: readonly Region[];
  games: readonly LotteryGame[];
}) {
  const { t, i18n } = useLingui();
  const names: Record<Region['region'], string> = {
    north: t`North`,
    central: t`Central`,
    south: t`South`,
  };
  const weekday = new Intl.DateTimeFormat(i18n.locale, { weekday: 'long', timeZone: 'UTC' });
  return regions.map(({ region, days }) => (
    <section key={region} className={styles.group}>
      <h2 className={styles.groupName}>{names[region]}</h2>
      <dl className={styles.week}>
        {days
          .filter(({ games: ids }) => ids.length > 0)
          .map(({ weekday: day, games: ids }) => (
            <div key={day} className={styles.day}>
              <dt>{weekday.format(monday + (day - 1) * dayMs)}</dt>
              <dd>
                {ids.map((id) => (
                  <Link key={id} to={`/m/startLottery?gameId=${id}`} className={styles.province}>
                    <bdi>{games.find(({ gameId }) => gameId === id)?.gameName ?? id}</bdi>
                  </Link>
                ))}
              </dd>
            </div>
          ))}
      </dl>
    </section>
  ));
}
