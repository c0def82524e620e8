import '../ui/global.css';
import './boot.css';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';

import { currentSession, endingKey, followOtherTabs } from '../api/session.ts';
import { prefetchHome } from '../features/home/prefetch.ts';
import { currentLanguage, followLanguage, startLanguage } from '../i18n/runtime.ts';
import { followInstallPrompt } from '../lib/install-prompt.ts';
import { localStore } from '../lib/storage.ts';
import { followTheme, readTheme, showTheme } from '../lib/theme.ts';
import { noteWebClip } from '../lib/web-clip.ts';
import { App } from './App.tsx';
import { prepareBalance } from './LateBalance.tsx';
import { followSessions } from './live.ts';
import { queryClient } from './queryClient.ts';
import { recoverFailedImports } from './recovery.ts';
import { findRoute, homeRoute } from './routes.ts';
import { preloadOnTouch, prepareScreen } from './screens.tsx';
import { showStartFailure } from './startFailure.ts';

const place = document.getElementById('root')!;

async function start(): Promise<void> {
  recoverFailedImports();
  showTheme(readTheme());
  followOtherTabs();
  followTheme();
  followLanguage();
  followSessions(queryClient);
  preloadOnTouch();
  if (localStore.get(endingKey)) void endWaiting();
  noteWebClip();
  followInstallPrompt();
  // The page's own shell stays on the screen until the first real one can be shown whole.
  const route = findRoute(location.pathname);
  await Promise.all([startLanguage(), prepareScreen(route), route === homeRoute && homeData()]);
  // In small pieces, so that a tap is answered while it is being made.
  startTransition(() => createRoot(place).render(<App />));
  if (import.meta.env.PROD && 'serviceWorker' in navigator) installLater();
}

/** Installs the service worker once the page has loaded. */
function installLater(): void {
  if (document.readyState === 'complete') install();
  else addEventListener('load', install, { once: true });
}

/** Without a worker the app works all the same, so nobody hears of a failure. */
function install(): void {
  void import('./pwa.ts').then((pwa) => pwa.install()).catch(() => {});
}

/** Ends sessions that were left without a network. Where the code for it cannot be had, the next page does. */
async function endWaiting(): Promise<void> {
  const ending = await import('../api/ending.ts').catch(() => null);
  ending?.endWaiting();
}

/** What was asked for early is there by now as a rule; what is not is not waited for. */
function homeData(): Promise<unknown> {
  const short = new Promise((resolve) => setTimeout(resolve, 100));
  const balance = currentSession() && prepareBalance().catch(() => {});
  return Promise.race([
    Promise.all([prefetchHome(queryClient, currentLanguage()), balance]),
    short,
  ]);
}

start().catch(() => showStartFailure(place));
