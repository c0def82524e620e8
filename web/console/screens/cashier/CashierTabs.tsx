import { useLingui } from '@lingui/react/macro';

import { AreaTabs } from '../offer/AreaTabs.tsx';

/** Links between the settings of the cashier. */
export function CashierTabs() {
  const { t } = useLingui();
  return (
    <AreaTabs
      label={t`Cashier`}
      tabs={[
        { path: '/methods', label: t`Payment methods` },
        { path: '/gateways', label: t`Gateways` },
        { path: '/gateways/reconciliation', label: t`Reconciliation` },
      ]}
    />
  );
}
