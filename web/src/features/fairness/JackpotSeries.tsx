import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { seriesQuery } from '../../api/fairness.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Chain } from './Chain.tsx';

import styles from './FairnessScreen.module.css';

/** The published chain of each currency's jackpot, also before its first draw. Renders nothing if there is no jackpot. */
export function JackpotSeries() {
  const { t } = useLingui();
  const query = useQuery({
    ...seriesQuery('jackpot'),
    select: ({ list }) => [...new Set(list.map(({ name }) => name))],
  });
  return (
    <QueryView query={query} isEmpty={(names) => names.length === 0} empty={null}>
      {(names) => (
        <section className={styles.next} aria-label={t`Jackpot`}>
          <h2 className={styles.heading}>{t`Jackpot`}</h2>
          <p className={styles.note}>
            {t`The seeds of the jackpot are a hash chain. Its end was published before the first draw, so no seed can be chosen later.`}
          </p>
          {names.map((name) => (
            <div key={name}>
              {names.length > 1 && <p className={styles.detail}>{currencyOf(name)}</p>}
              <Chain kind="jackpot" name={name} />
            </div>
          ))}
        </section>
      )}
    </QueryView>
  );
}

/** A chain of the jackpot is named after its currency and the merchant. */
const currencyOf = (name: string): string => name.split('-')[0] ?? name;
