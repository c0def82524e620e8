import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type MouseEvent } from 'react';

import { popup } from '../api/content-types.gen.ts';
import { announcementsQuery } from '../api/content.ts';
import { useLoggedIn } from '../api/session.ts';
import { settingsQuery, statusQuery, switchesQuery, type Switches } from '../api/system.ts';
import { useLanguage } from '../i18n/runtime.ts';
import { cx } from '../lib/cx.ts';
import { usePath } from '../lib/router.tsx';
import { sessionStore } from '../lib/storage.ts';
import { Deferred } from '../ui/Deferred.tsx';
import { LazyScreen } from '../ui/LazyScreen.tsx';
import { PageTransition } from '../ui/PageTransition.tsx';
import { ToastViewport } from '../ui/Toast.tsx';
import { BottomMenu } from './BottomMenu.tsx';
import { FloatingButtons } from './FloatingButtons.tsx';
import { HomeHeader } from './HomeHeader.tsx';
import { LazyDrawNotices } from './LazyDrawNotices.tsx';
import { OfflineBar } from './OfflineBar.tsx';
import { Overlays } from './Overlays.tsx';
import { findRoute, homeRoute, type Route } from './routes.ts';
import { loaderOf } from './screens.tsx';
import { TitleBar } from './TitleBar.tsx';
import { useGuard } from './useGuard.ts';
import { useRouteTitle } from './useRouteTitle.ts';
import { withMessages } from './with-messages.ts';

import styles from './Shell.module.css';

const loadFloat = () => import('./LanguageFloat.tsx');
const loadPopups = () => import('./HomePopups.tsx');

const loadClosed = () => withMessages(import('../features/closed/ClosedScreen.tsx'), 'closed');

/** Shows the app, or the reason why the site is closed. */
export function Shell() {
  const { data: status } = useQuery(statusQuery);
  const closed = status !== undefined && status.state !== 'normal';

  return (
    <div className={styles.app}>
      <OfflineBar />
      {closed ? (
        <>
          <main className={styles.main}>
            <LazyScreen load={loadClosed} />
          </main>
          <Deferred load={loadFloat} />
        </>
      ) : (
        <OpenShell />
      )}
      <ToastViewport />
    </div>
  );
}

/** Shows a screen with the header and menus that its route defines. */
function OpenShell() {
  const { t } = useLingui();
  const path = usePath();
  const { data: settings } = useQuery(settingsQuery);
  const found = findRoute(path);
  const { data: switches, isPending } = useQuery(switchesQuery);
  const isAvailable = !found.demoOnly || settings?.demo === true;
  const route = isAvailable && isEnabled(found, switches, isPending) ? found : homeRoute;
  // A screen that depends on a switch waits until the switches are loaded.
  const open = useGuard(route) && !(route.needs && isPending);
  const hasNavigated = useHasNavigated(path);
  useDocumentTitle(route, settings?.merchantName ?? 'Fairground');

  return (
    <>
      <a href="#screen" className={styles.skip} onClick={skip}>
        {t`Skip to the content`}
      </a>
      {route.header === 'home' && <HomeHeader />}
      {route.header === 'title' && <TitleBar route={route} />}
      <main
        id="screen"
        tabIndex={-1}
        className={cx(
          styles.main,
          route.bottomMenu && styles.withMenu,
          !hasNavigated && styles.still,
        )}
      >
        {open && (
          <PageTransition screen={route.paths[0] === homeRoute.paths[0] ? 'home' : path}>
            {/* A screen that is not built yet has no header of its own. */}
            {route.header === 'none' && !route.screen && <TitleBar route={route} />}
            <LazyScreen
              load={loaderOf(route)}
              top={route.header === 'none' && route.screen && <TitleBar route={route} />}
            />
          </PageTransition>
        )}
      </main>
      {route.bottomMenu && <BottomMenu route={route} />}
      {route === homeRoute && (
        <>
          <FloatingButtons />
          <Popups />
        </>
      )}
      {!route.ownLanguages && <Deferred load={loadFloat} />}
      <Overlays />
      <LazyDrawNotices />
    </>
  );
}

/** Loads home's popups after the first input, or at once if a popup is due. */
function Popups() {
  const loggedIn = useLoggedIn();
  const { data } = useQuery(announcementsQuery(useLanguage()));
  const due =
    data?.some(({ type }) => type === popup) &&
    !sessionStore.get(`announcementPopup.${loggedIn ? 'A' : 'B'}`);
  const [shownAt] = useState(() => performance.now());
  return <Deferred load={loadPopups} props={{ shownAt }} afterInput={!due} />;
}

/** Reports whether the merchant has enabled a screen. A screen counts as enabled while the switches load, and as disabled if they fail to load. */
function isEnabled({ needs }: Route, switches: Switches | undefined, isPending: boolean): boolean {
  if (!needs) return true;
  if (!switches) return isPending;
  return 'flag' in needs ? switches.flag(needs.flag) : switches.promotion(needs.promotion);
}

/** Moves the focus without changing the URL, which would add a history entry. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('screen')?.focus();
}

/** Reports whether the path has changed since the first render. */
function useHasNavigated(path: string): boolean {
  const [state, setState] = useState({ first: path, moved: false });
  if (!state.moved && path !== state.first) setState({ ...state, moved: true });
  return state.moved;
}

function useDocumentTitle(route: Route, merchant: string): void {
  const title = useRouteTitle(route);
  const text = route === homeRoute ? merchant : `${title} · ${merchant}`;
  useEffect(() => {
    document.title = text;
  }, [text]);
}
