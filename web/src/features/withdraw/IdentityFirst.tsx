import { useLingui } from '@lingui/react/macro';

import type { WithdrawTerms } from '../../api/withdrawals.ts';
import { Link } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Empty } from '../../ui/Empty.tsx';
import { kycPath } from './paths.ts';

type IdentityFirstProps = { state: Exclude<WithdrawTerms['identity'], 'VERIFIED'> };

/** Withdrawals and bank accounts need a verified identity. */
export function IdentityFirst({ state }: IdentityFirstProps) {
  const { t } = useLingui();
  const texts = {
    NONE: {
      title: t`First show who you are`,
      text: t`We pay only to accounts in your own name. The check is needed once.`,
      action: t`Start the identity check`,
    },
    WAITING: {
      title: t`We are checking your documents`,
      text: t`You can withdraw as soon as the check is done.`,
      action: t`See the identity check`,
    },
    REFUSED: {
      title: t`Your documents were not accepted`,
      text: t`Your balance stays yours. Send other pictures to be checked again.`,
      action: t`Send documents again`,
    },
  };
  const { title, text, action } = texts[state];
  return (
    <Empty
      icon={state === 'WAITING' ? 'clock-countdown-fill' : 'identification-card'}
      title={title}
      text={text}
      actions={
        <Link to={kycPath} className={buttonClass({ size: 'md' })}>
          {action}
        </Link>
      }
    />
  );
}
