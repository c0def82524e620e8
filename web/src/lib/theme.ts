import { create } from 'zustand';

import { pageMeta } from './page-meta.ts';
import { localStore } from './storage.ts';

export type Theme = 'dark' | 'light';

/** The stored choice; where it is missing or unknown, the merchant's, which is dark unless set otherwise. */
export function readTheme(): Theme {
  const stored = localStore.get('theme');
  const chosen = stored === 'dark' || stored === 'light' ? stored : pageMeta('default-theme');
  return chosen === 'light' ? 'light' : 'dark';
}

const useThemeStore = create<{ theme: Theme }>(() => ({ theme: readTheme() }));

export const useTheme = (): Theme => useThemeStore((state) => state.theme);

/** Shows a theme. The page's colour also colours the browser's own bar. */
export function showTheme(theme: Theme): void {
  const root = document.documentElement;
  root.dataset.theme = theme;
  const colour = getComputedStyle(root).getPropertyValue('--bg').trim();
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', colour);
  useThemeStore.setState({ theme });
}

export function chooseTheme(theme: Theme): void {
  localStore.set('theme', theme);
  showTheme(theme);
}

/** Follows what is chosen in other tabs. Returns the function that stops following. */
export function followTheme(): () => void {
  addEventListener('storage', followStorage);
  return () => removeEventListener('storage', followStorage);
}

function followStorage({ key }: StorageEvent): void {
  if (key === 'theme') showTheme(readTheme());
}
