import { useEffect } from 'react';

import { useLoggedIn } from '../api/session.ts';
import { whenIdle } from '../lib/idle.ts';
import { closeOverlay, openMenu, useOverlayStore } from '../lib/overlays.ts';
import { usePath } from '../lib/router.tsx';
import { lazyPopup } from '../ui/lazyPopup.tsx';
import { followEdgeSwipe } from './swipe.ts';
import { withMessages } from './with-messages.ts';

const SideMenu = lazyPopup(() => {
  // The panel's own code is needed at the same moment, so it is fetched at the same time.
  void import('../ui/SheetView.tsx');
  return withMessages(import('./SideMenu.tsx'));
});

const loadLogout = () => import('./LogoutQuestion.tsx');
const LogoutQuestion = lazyPopup(loadLogout);
const GuestQuestion = lazyPopup(() => withMessages(import('./GuestQuestion.tsx')));

/** Shows what lies over the screen. Going anywhere closes it. */
export function Overlays() {
  const path = usePath();
  const loggedIn = useLoggedIn();
  const open = useOverlayStore((state) => (state.on === path ? state.open : null));
  const pointless = !loggedIn && (open === 'logout' || open === 'guest');

  useEffect(() => followEdgeSwipe(openMenu), []);

  useEffect(() => {
    // Whoever has a session may want to leave when there is no network.
    if (loggedIn) return whenIdle(() => void loadLogout().catch(() => {}));
  }, [loggedIn]);

  useEffect(() => {
    // The session may end, here or elsewhere, while the question is asked.
    if (pointless) closeOverlay();
  }, [pointless]);

  return (
    <>
      <SideMenu open={open === 'menu'} onClose={closeOverlay} />
      <LogoutQuestion open={open === 'logout' && loggedIn} onClose={closeOverlay} />
      <GuestQuestion open={open === 'guest' && loggedIn} onClose={closeOverlay} />
    </>
  );
}
