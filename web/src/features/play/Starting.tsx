import { useLingui } from '@lingui/react/macro';

import { Spinner } from '../../ui/Spinner.tsx';
import { Layer } from './Layer.tsx';

import styles from './Layer.module.css';

export function Starting() {
  const { t } = useLingui();
  return (
    <Layer>
      <div className={styles.cover} role="status">
        <Spinner size={36} />
        <p>{t`Starting the game…`}</p>
      </div>
    </Layer>
  );
}
