import { useLingui } from '@lingui/react/macro';

import { currentSession } from '../api/session.ts';
import { Button } from '../ui/Button.tsx';
import DialogView from '../ui/DialogView.tsx';
import { leave } from './logout.ts';

type QuestionProps = { open: boolean; onClose: () => void };

/** Whether the member really wants to log out. */
export default function LogoutQuestion({ open, onClose }: QuestionProps) {
  const { t } = useLingui();
  return (
    <DialogView
      alert
      open={open}
      onClose={onClose}
      title={t`Log out?`}
      text={t`You can log in again at any time. Your balance stays as it is.`}
      // The button that asked is gone with the session.
      focusAfter={() => (currentSession() ? null : document.querySelector<HTMLElement>('h1'))}
      actions={
        <>
          <Button
            onPress={() => {
              onClose();
              void leave();
            }}
          >
            {t`Log out`}
          </Button>
          <Button variant="text" size="md" onPress={onClose}>
            {t`Stay`}
          </Button>
        </>
      }
    />
  );
}
