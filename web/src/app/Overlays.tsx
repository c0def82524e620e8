import { useEffect } from 'react';

import { useLoggedIn } from '../api/session.ts';
import { whenIdle } from '../lib/idle.ts';
import { closeOverlay, openMenu, useOverlayStore } from '../lib/overlays.ts';
import { usePath } from '../lib/router.tsx';
import { lazyPopup } from '../ui/lazyPopup.tsx';
import { followEdgeSwipe } from './swipe.ts';
import { withMessages } from './with-messages.ts';

const SideMenu = lazyPopup(() => {
  // Load the sheet in parallel, because the menu needs it at once.
  void import('../ui/SheetView.tsx');
  return withMessages(import('./SideMenu.tsx'));
});

const loadLogout = () => import('./LogoutQuestion.tsx');
const LogoutQuestion = lazyPopup(loadLogout);
const GuestQuestion = lazyPopup(() => withMessages(import('./GuestQuestion.tsx')));

/** Shows the open overlay. Navigation closes it. */
export function Overlays() {
  const path = usePath();
  const loggedIn = useLoggedIn();
  const open = useOverlayStore((state) => (state.on === path ? state.open : null));
  const isObsolete = !loggedIn && (open === 'logout' || open === 'guest');

  useEffect(() => followEdgeSwipe(openMenu), []);

  useEffect(() => {
    // Preload it, so that the logout works offline.
    if (loggedIn) return whenIdle(() => void loadLogout().catch(() => {}));
  }, [loggedIn]);

  useEffect(() => {
    // The session may end while the dialog is open.
    if (isObsolete) closeOverlay();
  }, [isObsolete]);

  return (
    <>
      <SideMenu open={open === 'menu'} onClose={closeOverlay} />
      <LogoutQuestion open={open === 'logout' && loggedIn} onClose={closeOverlay} />
      <GuestQuestion open={open === 'guest' && loggedIn} onClose={closeOverlay} />
    </>
  );
}
