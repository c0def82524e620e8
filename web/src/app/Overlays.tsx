import { useLingui } from '@lingui/react/macro';
import ticket from '@lobehub/fluent-emoji-3d/assets/1f3ab.webp';
import { useEffect } from 'react';

import { navigate, usePath } from '../lib/router.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
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
  const open = useOverlayStore((state) => (state.on === path ? state.open : null));

  useEffect(() => followEdgeSwipe(openMenu), []);

  return (
    <>
      <SideMenu open={open === 'menu'} onClose={closeOverlay} />
      <LogoutQuestion open={open === 'logout'} />
      <GuestQuestion open={open === 'guest'} />
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
