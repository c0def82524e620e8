import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { seriesQuery } from '../../api/fairness.ts';
import { lotteryGamesQuery } from '../../api/lottery.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Chain } from './Chain.tsx';
import { shownSeries } from './series.ts';
import { VoidDraws } from './VoidDraws.tsx';

import styles from './FairnessScreen.module.css';

/** The published chain of each fast lottery. The results page of a lottery verifies its draws. */
export function LotterySeries() {
  const { t } = useLingui();
  const query = useQuery(seriesQuery('lottery'));
  const { data } = query;
  const { data: games } = useQuery(lotteryGamesQuery(useLanguage()));
  const [chosen, setChosen] = useState('');
  const names = [...new Set(data?.list.map(({ name }) => name))];
  const name = names.includes(chosen) ? chosen : names[0];
  // A series is named after the game's code and the merchant.
  const gameOf = (of: string) => games?.find(({ gameCode }) => of.startsWith(`${gameCode}-`));
  const label = (of: string) => gameOf(of)?.gameName ?? of;
  const series = shownSeries(data?.list.filter((each) => each.name === name) ?? []);
  if (data && !name) return null;
  return (
    <section className={styles.next}>
      <h2 className={styles.heading}>{t`Fast lotteries`}</h2>
      <p className={styles.note}>
        {t`The seeds of a lottery are a hash chain. Its end was published before the first draw, so no seed can be chosen later.`}
      </p>
      <QueryView
        query={query}
        className={styles.loaded}
        skeleton={<Skeleton shape="box" height={120} />}
      >
        {() =>
          name && (
            <>
              <label className={styles.detail}>
                {t`Lottery`}{' '}
                <select value={name} onChange={(event) => setChosen(event.target.value)}>
                  {names.map((each) => (
                    <option key={each} value={each}>
                      {label(each)}
                    </option>
                  ))}
                </select>
              </label>
              <Chain kind="lottery" name={name} />
              {series && <VoidDraws key={name} series={series.id} gameId={gameOf(name)?.gameId} />}
            </>
          )
        }
      </QueryView>
    </section>
  );
}
