import { useLingui } from '@lingui/react/macro';

import type { DepositStatus } from '../../api/deposits.ts';

export function useStatusNames(): Record<DepositStatus, string> {
  const { t } = useLingui();
  return {
    WAITING: t`Waiting for the money`,
    CLAIMED: t`Being checked`,
    CREDITED: t`Credited`,
    REFUSED: t`Refused`,
    EXPIRED: t`Expired`,
    CANCELLED: t`Cancelled`,
  };
}
