import { useLingui } from '@lingui/react/macro';
import { Alert, Anchor } from '@mantine/core';
import { Link } from 'wouter';

import { describeError } from '../server/errors.ts';
import type { WaitingApproval } from './useAction.ts';

type ActionResultProps = { error: Error | null; approval: WaitingApproval | null };

/** Why an action failed, or that it waits for a second person. */
export function ActionResult({ error, approval }: ActionResultProps) {
  const { t } = useLingui();
  if (error)
    return (
      <Alert color="red" role="alert">
        {describeError(error)}
      </Alert>
    );
  if (approval)
    return (
      <Alert color="yellow" role="status" title={t`Waits for a second person`}>
        {t`The change takes effect when another operator approves it.`}{' '}
        <Anchor component={Link} href={`/approvals/${approval.id}`} inherit underline="always">
          {t`Open the approval`}
        </Anchor>
      </Alert>
    );
  return null;
}
