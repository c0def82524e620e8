import { useLingui } from '@lingui/react/macro';

import { AreaTabs } from '../AreaTabs.tsx';

export function HouseTabs() {
  const { t } = useLingui();
  return (
    <AreaTabs
      label={t`Parts of the House`}
      tabs={[
        { path: '/tables', label: t`Tables` },
        { path: '/jackpots', label: t`Jackpots` },
        { path: '/fairness', label: t`Fairness` },
        { path: '/stuck', label: t`Stuck rounds` },
      ]}
    />
  );
}
