// The entry of the lottery's page, which the app shows in a frame.
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

const setTheme = (theme: Theme): void => {
  document.documentElement.dataset.theme = theme;
};

async function start(): Promise<void> {
  if (!launch) {
    location.replace('/m/game');
    return;
  }
  setTheme(launch.theme);
  await setLanguage(launch.language);
  followApp(({ theme, language }) => {
    setTheme(theme);
    // The page keeps its language if a catalogue cannot be loaded.
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
