import { useLingui } from '@lingui/react/macro';

import { currentSession } from '../api/session.ts';
import { Button } from '../ui/Button.tsx';
import DialogView from '../ui/DialogView.tsx';
import { logOut } from './logout.ts';

type QuestionProps = { open: boolean; onClose: () => void };

export default function LogoutQuestion({ open, onClose }: QuestionProps) {
  const { t } = useLingui();
  return (
    <DialogView
      alert
      open={open}
      onClose={onClose}
      title={t`Log out?`}
      text={t`You can log in again at any time. Your balance stays as it is.`}
      // After the logout, the button that opened the dialog is gone.
      focusAfter={() => (currentSession() ? null : document.querySelector<HTMLElement>('h1'))}
      actions={
        <>
          <Button
            onPress={() => {
              onClose();
              void logOut();
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
