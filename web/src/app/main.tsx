import '../ui/global.css';
import './boot.css';
import { createRoot } from 'react-dom/client';

import { followOtherTabs } from '../api/session.ts';
import { startLanguage } from '../i18n/runtime.ts';
import { readTheme, showTheme } from '../lib/theme.ts';
import { App } from './App.tsx';
import { followSessions } from './live.ts';
import { startInstalling } from './pwa.ts';
import { queryClient } from './queryClient.ts';
import { findRoute } from './routes.ts';
import { prepareScreen } from './screens.tsx';

async function start(): Promise<void> {
  showTheme(readTheme());
  followOtherTabs();
  followSessions(queryClient);
  // The page's own shell stays on the screen until the first real one can be shown whole.
  await Promise.all([startLanguage(), prepareScreen(findRoute(location.pathname))]);
  createRoot(document.getElementById('root')!).render(<App />);
  startInstalling();
}

void start();
