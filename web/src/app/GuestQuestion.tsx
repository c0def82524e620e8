import { useLingui } from '@lingui/react/macro';

import { navigate } from '../lib/router.tsx';
import { Button } from '../ui/Button.tsx';
import DialogView from '../ui/DialogView.tsx';
import ticket from '../ui/emoji/ticket.webp';

type QuestionProps = { open: boolean; onClose: () => void };

/** Asks a guest who opened a screen for members to register. */
export default function GuestQuestion({ open, onClose }: QuestionProps) {
  const { t } = useLingui();
  return (
    <DialogView
      alert
      open={open}
      onClose={onClose}
      art={ticket}
      title={t`You are playing as a guest`}
      text={t({
        id: 'in_popup_prompt',
        message: 'Register an account to open the member centre, deposit and keep favourites.',
      })}
      actions={
        <>
          <Button onPress={() => navigate('/m/register')}>{t`Register now`}</Button>
          <Button variant="text" size="md" onPress={onClose}>
            {t`Later`}
          </Button>
        </>
      }
    />
  );
}
