import { useLingui } from '@lingui/react/macro';

import { AreaTabs } from '../offer/AreaTabs.tsx';

/** Links between the screens of the lottery. */
export function LotteryTabs() {
  const { t } = useLingui();
  return (
    <AreaTabs
      label={t`Parts of the lottery`}
      tabs={[
        { path: '/lottery', label: t`Schedule` },
        { path: '/lottery/exposure', label: t`Exposure` },
        { path: '/lottery/games', label: t`Games and odds` },
        { path: '/lottery/debts', label: t`Debts` },
      ]}
    />
  );
}
