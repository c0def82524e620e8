import { useLingui } from '@lingui/react/macro';
import ticket from '@lobehub/fluent-emoji-3d/assets/1f3ab.webp';
import { useEffect } from 'react';

import { currentSession, useLoggedIn } from '../api/session.ts';
import { navigate, usePath } from '../lib/router.tsx';
import { whenIdle } from '../lib/steps.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog, prepareDialog } from '../ui/Dialog.tsx';
import { lazyPopup } from '../ui/lazyPopup.tsx';
import { leave } from './logout.ts';
import { closeOverlay, openMenu, useOverlayStore } from './overlays.ts';
import { followEdgeSwipe } from './swipe.ts';

const SideMenu = lazyPopup(() => {
  // The panel's own code is needed at the same moment, so it is fetched at the same time.
  void import('../ui/SheetView.tsx');
  return import('./SideMenu.tsx');
});

/** Shows what lies over the screen. Going anywhere closes it. */
export function Overlays() {
  const path = usePath();
  const loggedIn = useLoggedIn();
  const open = useOverlayStore((state) => (state.on === path ? state.open : null));
  const pointless = !loggedIn && (open === 'logout' || open === 'guest');

  useEffect(() => followEdgeSwipe(openMenu), []);

  useEffect(() => {
    // Whoever has a session may want to leave when there is no network.
    if (loggedIn) return whenIdle(() => void prepareDialog().catch(() => {}));
  }, [loggedIn]);

  useEffect(() => {
    // The session may end, here or elsewhere, while the question is asked.
    if (pointless) closeOverlay();
  }, [pointless]);

  return (
    <>
      <SideMenu open={open === 'menu'} onClose={closeOverlay} />
      <LogoutQuestion open={open === 'logout' && loggedIn} />
      <GuestQuestion open={open === 'guest' && loggedIn} />
    </>
  );
}

function LogoutQuestion({ open }: { open: boolean }) {
  const { t } = useLingui();
  return (
    <Dialog
      alert
      open={open}
      onClose={closeOverlay}
      title={t`Log out?`}
      text={t`You can log in again at any time. Your balance stays as it is.`}
      // The button that asked is gone with the session.
      focusAfter={() => (currentSession() ? null : document.querySelector<HTMLElement>('h1'))}
      actions={
        <>
          <Button
            onPress={() => {
              closeOverlay();
              void leave();
            }}
          >
            {t`Log out`}
          </Button>
          <Button variant="text" size="md" onPress={closeOverlay}>
            {t`Stay`}
          </Button>
        </>
      }
    />
  );
}

function GuestQuestion({ open }: { open: boolean }) {
  const { t } = useLingui();
  return (
    <Dialog
      alert
      open={open}
      onClose={closeOverlay}
      art={ticket}
      title={t`You are playing as a guest`}
      text={t({
        id: 'in_popup_prompt',
        message: 'Register an account to open the member centre, deposit and keep favourites.',
      })}
      actions={
        <>
          <Button onPress={() => navigate('/m/register')}>{t`Register now`}</Button>
          <Button variant="text" size="md" onPress={closeOverlay}>
            {t`Later`}
          </Button>
        </>
      }
    />
  );
}
