import { useLingui } from '@lingui/react/macro';

import type { FeedbackCategory } from '../../api/feedback.ts';

export function useCategories(): Record<FeedbackCategory, string> {
  const { t } = useLingui();
  return {
    deposit: t`Deposit`,
    withdrawal: t`Withdraw`,
    game: t`Games`,
    account: t`Account`,
    suggestion: t`Suggestion`,
    other: t`Something else`,
  };
}
