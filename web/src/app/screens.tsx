import type { ComponentType } from 'react';

import HomeScreen from '../features/home/HomeScreen.tsx';
import { screenMessages } from '../i18n/runtime.ts';
import type { ScreenLoader } from '../ui/LazyScreen.tsx';
import { useScrollRestore } from './scroll-restore.ts';
import type { ScreenModule } from './lazy-screens.ts';
import { homeRoute, type Route } from './routes.ts';

const loaders = new Map<Route, ScreenLoader>();
const ready = new Map<Route, ScreenModule>();

async function load(route: Route): Promise<ScreenModule> {
  const { default: Screen } = await codeOf(route);
  const screen = { default: arriving(Screen) };
  ready.set(route, screen);
  return screen;
}

/** A screen's code and its words. Nearly every visit begins at home, so its own come with the app itself. */
async function codeOf(route: Route): Promise<ScreenModule> {
  if (route === homeRoute) return { default: HomeScreen };
  const words = screenMessages();
  const code = loadFurther().then(({ lazyScreens }) =>
    lazyScreens[route.screen ?? 'notOpen'](),
  );
  const [screen] = await Promise.all([code, words]);
  return screen;
}

const loadFurther = () => import('./lazy-screens.ts');

/** A finger on the glass may be on its way to another screen: its file's name is fetched meanwhile. */
export function preloadOnTouch(): void {
  addEventListener('pointerdown', () => void loadFurther().catch(() => {}), {
    once: true,
    passive: true,
  });
}

/** The screen, announced once it stands. */
function arriving(Screen: ComponentType): ComponentType {
  return function Arrived() {
    useScrollRestore();
    return <Screen />;
  };
}

/** A promise that is already kept: React shows such a screen in the same pass, without a blank between. */
function kept<T>(value: T): Promise<T> {
  const then = (take: (value: T) => void) => take(value);
  // oxlint-disable-next-line unicorn/no-thenable -- being a thenable is all it is for
  return { then } as Promise<T>;
}

/** The function that loads a route's screen, the same one each time it is asked for. */
export function loaderOf(route: Route): ScreenLoader {
  let loader = loaders.get(route);
  if (!loader) {
    loader = () => {
      const screen = ready.get(route);
      return screen ? kept(screen) : load(route);
    };
    loaders.set(route, loader);
  }
  return loader;
}

/** Loads a screen ahead of its showing. A failure is told when the screen is shown. */
export async function prepareScreen(route: Route): Promise<void> {
  await load(route).catch(() => {});
}
