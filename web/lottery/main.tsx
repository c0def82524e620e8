// The page of the lottery. The app shows it in a frame.
import '../src/ui/global.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { App } from './App.tsx';
import { followApp } from './bridge.ts';
import { setLanguage } from './language.ts';
import { readLaunch, type Theme } from './launch.ts';

const container = document.getElementById('lottery')!;
const launch = readLaunch(new URL(location.href));

const showTheme = (theme: Theme): void => {
  document.documentElement.dataset.theme = theme;
};

async function start(): Promise<void> {
  if (!launch) {
    location.replace('/m/game');
    return;
  }
  showTheme(launch.theme);
  await setLanguage(launch.language);
  followApp(({ theme, language }) => {
    showTheme(theme);
    // The page keeps its language when a catalogue cannot be loaded.
    setLanguage(language).catch(() => {});
  });
  createRoot(container).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <App launch={launch} />
      </I18nProvider>
    </StrictMode>,
  );
}

void start();
