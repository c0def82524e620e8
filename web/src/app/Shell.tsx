import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type MouseEvent } from 'react';

import { settingsQuery, statusQuery } from '../api/system.ts';
import { cx } from '../lib/cx.ts';
import { usePath } from '../lib/router.tsx';
import { LazyScreen } from '../ui/LazyScreen.tsx';
import { PageTransition } from '../ui/PageTransition.tsx';
import { ToastViewport } from '../ui/Toast.tsx';
import { BottomMenu } from './BottomMenu.tsx';
import { HomeHeader } from './HomeHeader.tsx';
import { OfflineBar } from './OfflineBar.tsx';
import { Overlays } from './Overlays.tsx';
import { findRoute, homeRoute, type Route } from './routes.ts';
import { loaderOf } from './screens.tsx';
import { TitleBar } from './TitleBar.tsx';
import { useGuard } from './useGuard.ts';
import { useRouteTitle } from './useRouteTitle.ts';

import styles from './Shell.module.css';

const loadClosed = () => import('./ClosedScreen.tsx');

/** The app, or, while the server says that it is closed, why. */
export function Shell() {
  const { data: status } = useQuery(statusQuery);
  const closed = status !== undefined && status.state !== 'normal';

  return (
    <div className={styles.app}>
      <OfflineBar />
      {closed ? (
        <main className={styles.main}>
          <LazyScreen load={loadClosed} />
        </main>
      ) : (
        <OpenShell />
      )}
      <ToastViewport />
    </div>
  );
}

/** Everything around the screen, by the rules of the route table. */
function OpenShell() {
  const { t } = useLingui();
  const path = usePath();
  const { data: settings } = useQuery(settingsQuery);
  const found = findRoute(path);
  const route = found.demoOnly && settings?.demo !== true ? homeRoute : found;
  const open = useGuard(route);
  const moved = useMoved(path);
  useDocumentTitle(route, settings?.merchantName ?? 'Fairground');

  return (
    <>
      <a href="#screen" className={styles.skip} onClick={skip}>
        {t`Skip to the content`}
      </a>
      {route.header === 'home' && <HomeHeader />}
      {(route.header === 'title' || (route.header === 'none' && !route.screen)) && (
        <TitleBar route={route} />
      )}
      <main
        id="screen"
        tabIndex={-1}
        className={cx(styles.main, route.bottomMenu && styles.withMenu, !moved && styles.still)}
      >
        {open && (
          <PageTransition screen={route.paths[0] === homeRoute.paths[0] ? 'home' : path}>
            <LazyScreen
              load={loaderOf(route)}
              top={route.header === 'none' && route.screen && <TitleBar route={route} />}
            />
          </PageTransition>
        )}
      </main>
      {route.bottomMenu && <BottomMenu route={route} />}
      <Overlays />
    </>
  );
}

/** Moves the focus only: another address would be a step to go back from. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('screen')?.focus();
}

/** Whether anyone has gone anywhere yet. */
function useMoved(path: string): boolean {
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
