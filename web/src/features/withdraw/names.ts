import { useLingui } from '@lingui/react/macro';

import type { WithdrawalStatus } from '../../api/withdrawals.ts';

export function useStatusNames(): Record<WithdrawalStatus, string> {
  const { t } = useLingui();
  return {
    REQUESTED: t`Requested`,
    REVIEW: t`Being checked`,
    APPROVED: t`Approved`,
    SENT: t`Sent to the bank`,
    PAID: t`Paid out`,
    REFUSED: t`Refused`,
    FAILED: t`Payment failed`,
  };
}
