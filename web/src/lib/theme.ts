import { create } from 'zustand';

import { pageMeta } from './page-meta.ts';
import { localStore } from './storage.ts';

export type Theme = 'dark' | 'light';

/** Returns the stored theme, or else the merchant's default. */
export function readTheme(): Theme {
  const stored = localStore.get('theme');
  const chosen = stored === 'dark' || stored === 'light' ? stored : pageMeta('default-theme');
  return chosen === 'light' ? 'light' : 'dark';
}

const useThemeStore = create<{ theme: Theme }>(() => ({ theme: readTheme() }));

export const useTheme = (): Theme => useThemeStore((state) => state.theme);

/** Applies a theme, also to the browser's own bar. */
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

/** Follows the theme chosen in other tabs. Returns a function that stops. */
export function followTheme(): () => void {
  addEventListener('storage', followStorage);
  return () => removeEventListener('storage', followStorage);
}

function followStorage({ key }: StorageEvent): void {
  if (key === 'theme') showTheme(readTheme());
}
