import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { seriesQuery, type SeriesKind } from '../../api/fairness.ts';
import { Hex } from '../../ui/display/Hex.tsx';
import { SaltSource } from './SaltSource.tsx';
import { publicValueOf, shownSeries } from './series.ts';

import styles from './FairnessScreen.module.css';

/** The published chain of a table, a lottery or the jackpot, and the one that follows if it is announced. */
export function Chain({ kind, name }: { kind: SeriesKind; name: string }) {
  const { t } = useLingui();
  const { data } = useQuery(seriesQuery(kind));
  const all = data?.list.filter((each) => each.name === name) ?? []; // the newest first
  const series = shownSeries(all);
  const next = all.find(({ state, id }) => state === 'waiting' && id !== series?.id);
  if (!series) return null;
  return (
    <>
      <Hex value={series.end} label={t`End of the chain`} />
      <p className={styles.note}>
        {t`Series ${series.generation}: link ${series.used} of ${series.length}`}
        {' · '}
        <SaltSource series={series} />
      </p>
      {next && (
        <>
          <Hex value={next.end} label={t`End of the next chain`} />
          <p
            className={styles.note}
          >{t`It starts when this public value is known: ${publicValueOf(next)}.`}</p>
        </>
      )}
    </>
  );
}
