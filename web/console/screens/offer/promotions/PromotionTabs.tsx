import { useLingui } from '@lingui/react/macro';

import { AreaTabs } from '../AreaTabs.tsx';

/** Links between promotions, rewards and the loyalty rules. */
export function PromotionTabs() {
  const { t } = useLingui();
  return (
    <AreaTabs
      label={t`Promotions and rewards`}
      tabs={[
        { path: '/promotions', label: t`Promotions` },
        { path: '/rewards', label: t`Rewards` },
        { path: '/loyalty', label: t`Loyalty rules` },
      ]}
    />
  );
}
