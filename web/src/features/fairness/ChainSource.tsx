import { useLingui } from '@lingui/react/macro';

import { Hex } from '../../ui/display/Hex.tsx';
import { SaltSource } from './SaltSource.tsx';
import type { Series } from './series.ts';

import styles from './FairnessScreen.module.css';

/** The end of the chain that contains a seed, and where its salt came from. */
export function ChainSource({ series, link }: { series: Series; link: number }) {
  const { t } = useLingui();
  return (
    <>
      <Hex value={series.end} label={t`End of the chain`} />
      <p className={styles.note}>
        {t`Series ${series.generation}: link ${link} of ${series.length}`}
        {' · '}
        <SaltSource series={series} />
      </p>
      {series.value !== '' && (
        <p className={styles.formula}>
          <bdi dir="ltr">{series.value}</bdi>
        </p>
      )}
    </>
  );
}
