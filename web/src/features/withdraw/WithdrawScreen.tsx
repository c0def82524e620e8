import { useLingui } from '@lingui/react/macro';

import { navigate, useAddressQuery } from '../../lib/router.tsx';
import { BarActions } from '../../ui/BarActions.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { historyPath } from './paths.ts';
import { WithdrawalHistory } from './WithdrawalHistory.tsx';
import { WithdrawalProgress } from './WithdrawalProgress.tsx';
import { WithdrawForm } from './WithdrawForm.tsx';

import styles from './WithdrawScreen.module.css';

/** A new withdrawal, one withdrawal, or all of them: the address says which. */
export default function WithdrawScreen() {
  const { t } = useLingui();
  const query = useAddressQuery();
  const id = query.get('withdrawal');
  const isHistory = query.get('view') === 'history';
  return (
    <div className={styles.screen}>
      {!isHistory && (
        <BarActions>
          <IconButton
            icon="clock"
            label={t`Your withdrawals`}
            onPress={() => navigate(historyPath)}
          />
        </BarActions>
      )}
      {id ? (
        <WithdrawalProgress key={id} id={id} />
      ) : isHistory ? (
        <WithdrawalHistory />
      ) : (
        <WithdrawForm />
      )}
    </div>
  );
}
