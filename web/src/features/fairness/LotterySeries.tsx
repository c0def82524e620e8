import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { seriesQuery } from '../../api/fairness.ts';
import { lotteryGamesQuery } from '../../api/lottery.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Chain } from './Chain.tsx';
import { shownSeries } from './series.ts';
import { VoidDraws } from './VoidDraws.tsx';

import styles from './FairnessScreen.module.css';

/** The published chain of each fast lottery. The results page of a lottery verifies its draws. */
export function LotterySeries() {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(seriesQuery('lottery'));
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
      {name ? (
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
      ) : error ? (
        <ErrorRetry detail={describeError(error)} answered={wasAnswered(error)} onRetry={refetch} />
      ) : (
        <Skeleton shape="box" height={120} />
      )}
    </section>
  );
}
