import { useLingui } from '@lingui/react/macro';

import { navigate } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

export type LimitOfferProps = { open: boolean; onClose: () => void; onDecline: () => void };

/** Offers a limit before the first deposit. */
export function LimitOffer({ open, onClose, onDecline }: LimitOfferProps) {
  const { t } = useLingui();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t`Set a deposit limit first?`}
      text={t`You decide how much you can deposit in a day, a week or a month. You can lower it at any time.`}
      actions={
        <>
          <Button full onPress={() => navigate('/m/member/limits')}>{t`Set a limit`}</Button>
          <Button
            full
            variant="secondary"
            onPress={() => {
              onClose();
              onDecline();
            }}
          >
            {t`Continue without a limit`}
          </Button>
        </>
      }
    />
  );
}
