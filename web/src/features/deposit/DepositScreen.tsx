import { useLingui } from '@lingui/react/macro';

import { navigate, useAddressQuery } from '../../lib/router.tsx';
import { BarActions } from '../../ui/BarActions.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { DepositForm } from './DepositForm.tsx';
import { DepositHistory } from './DepositHistory.tsx';
import { DepositOrder } from './DepositOrder.tsx';
import { historyPath } from './paths.ts';

import styles from './DepositScreen.module.css';

/** A new deposit, one deposit, or all of them: the address says which. */
export default function DepositScreen() {
  const { t } = useLingui();
  const query = useAddressQuery();
  const id = query.get('deposit');
  const isHistory = query.get('view') === 'history';
  return (
    <div className={styles.screen}>
      {!isHistory && (
        <BarActions>
          <IconButton icon="clock" label={t`Your deposits`} onPress={() => navigate(historyPath)} />
        </BarActions>
      )}
      {id ? <DepositOrder key={id} id={id} /> : isHistory ? <DepositHistory /> : <DepositForm />}
    </div>
  );
}
