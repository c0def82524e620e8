import '../ui/global.css';
import './boot.css';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';

import { currentSession, pendingLogoutsKey, watchOtherTabs } from '../api/session.ts';
import { prefetchHome } from '../features/home/prefetch.ts';
import { currentLanguage, watchLanguage, startLanguage } from '../i18n/runtime.ts';
import { followInstallPrompt } from '../lib/install-prompt.ts';
import { localStore } from '../lib/storage.ts';
import { followTheme, readTheme, showTheme } from '../lib/theme.ts';
import { noteWebClip } from '../lib/web-clip.ts';
import { App } from './App.tsx';
import { preloadBalance } from './LazyBalance.tsx';
import { queryClient } from './queryClient.ts';
import { recoverFailedImports } from './recovery.ts';
import { findRoute, homeRoute } from './routes.ts';
import { preloadOnTouch, prepareScreen } from './screens.tsx';
import { showStartFailure } from './startFailure.ts';
import { guardNavigation } from './useGuard.ts';
import { watchSessions } from './watch-sessions.ts';

const place = document.getElementById('root')!;

async function start(): Promise<void> {
  recoverFailedImports();
  guardNavigation();
  showTheme(readTheme());
  watchOtherTabs();
  followTheme();
  watchLanguage();
  watchSessions(queryClient);
  preloadOnTouch();
  if (localStore.get(pendingLogoutsKey)) void sendPendingLogouts();
  noteWebClip();
  followInstallPrompt();
  // The static page stays visible until the first screen is complete.
  const route = findRoute(location.pathname);
  await Promise.all([startLanguage(), prepareScreen(route), route === homeRoute && homeData()]);
  // A transition renders in small steps, so that the page responds to taps.
  startTransition(() => createRoot(place).render(<App />));
  if (import.meta.env.PROD && 'serviceWorker' in navigator) installLater();
}

/** Installs the service worker when the page has loaded. */
function installLater(): void {
  if (document.readyState === 'complete') install();
  else addEventListener('load', install, { once: true });
}

/** Ignores failures, because the app works without a worker. */
function install(): void {
  void import('./pwa.ts').then((pwa) => pwa.install()).catch(() => {});
}

/** Sends the logouts that failed on earlier pages. If this fails, the next page load tries again. */
async function sendPendingLogouts(): Promise<void> {
  const logouts = await import('../api/pending-logouts.ts').catch(() => null);
  logouts?.retryLogouts();
}

/** Waits at most 100 ms for home's data. Preloaded responses are usually there by then. */
function homeData(): Promise<unknown> {
  const timeout = new Promise((resolve) => setTimeout(resolve, 100));
  const balance = currentSession() && preloadBalance().catch(() => {});
  return Promise.race([
    Promise.all([prefetchHome(queryClient, currentLanguage()), balance]),
    timeout,
  ]);
}

start().catch(() => showStartFailure(place));
