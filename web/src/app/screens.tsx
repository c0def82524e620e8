import type { ComponentType } from 'react';

import HomeScreen from '../features/home/HomeScreen.tsx';
import type { ScreenLoader } from '../ui/LazyScreen.tsx';
import type { LazyScreen, ScreenModule } from './lazy-screens.ts';
import { homeRoute, type Route } from './routes.ts';
import { useScrollRestore } from './scroll-restore.ts';
import { withMessages } from './with-messages.ts';

const loaders = new Map<Route, ScreenLoader>();
const ready = new Map<Route, ScreenModule>();

async function load(route: Route): Promise<ScreenModule> {
  const { default: Screen } = await codeOf(route);
  const screen = { default: withScrollRestore(Screen) };
  ready.set(route, screen);
  return screen;
}

/** Returns a screen's code with its messages. Home's are part of the app's first load. */
async function codeOf(route: Route): Promise<ScreenModule> {
  if (route === homeRoute) return { default: HomeScreen };
  const { lazyScreens } = await loadScreenList();
  const { feature, load: loadCode }: LazyScreen = lazyScreens[route.screen ?? 'notOpen'];
  return withMessages(loadCode(), feature);
}

const loadScreenList = () => import('./lazy-screens.ts');

/** Loads the list of screens on the first touch, which may lead to another screen. */
export function preloadOnTouch(): void {
  addEventListener('pointerdown', () => void loadScreenList().catch(() => {}), {
    once: true,
    passive: true,
  });
}

function withScrollRestore(Screen: ComponentType): ComponentType {
  return function RestoredScreen() {
    useScrollRestore();
    return <Screen />;
  };
}

/** Returns a thenable that resolves at once, so that React shows the screen in the same pass, without a blank frame. */
function resolvedPromise<T>(value: T): Promise<T> {
  const then = (take: (value: T) => void) => take(value);
  // oxlint-disable-next-line unicorn/no-thenable -- it exists to be a thenable
  return { then } as Promise<T>;
}

/** Returns the function that loads a route's screen. It is the same function on every call. */
export function loaderOf(route: Route): ScreenLoader {
  let loader = loaders.get(route);
  if (!loader) {
    loader = () => {
      const screen = ready.get(route);
      return screen ? resolvedPromise(screen) : load(route);
    };
    loaders.set(route, loader);
  }
  return loader;
}

/** Preloads a screen. Errors are shown when the screen is opened. */
export async function prepareScreen(route: Route): Promise<void> {
  await load(route).catch(() => {});
}
