import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react';
import { navigate as moveTo, usePathname, useSearch } from 'wouter/use-browser-location';

import {
  afterStep,
  closeLayers,
  dropLayerStep,
  entry,
  entryKey,
  onLayer,
  type Entry,
} from './layers.ts';

/** Where everything leads that has no better place to go. */
export const homePath = '/m/home';

let made = 0;

/** Goes to a path of this app. Whatever lies over the screen closes. */
export function navigate(to: string, options: { replace?: boolean } = {}): void {
  if (afterStep(() => navigate(to, options))) return;
  const here = location.pathname + location.search;
  const layered = onLayer();
  if (layered) closeLayers();
  // Going to where one is adds no step; another query on the same screen keeps its place on the page.
  const replace = options.replace === true || to === here;
  if (layered && replace) {
    dropLayerStep(() => navigate(to, options));
    return;
  }
  const { depth = 0, from } = entry() ?? {};
  const stays = replace && new URL(to, location.href).pathname === location.pathname;
  made += 1;
  const state: Entry = {
    key: stays ? entryKey() : `${Date.now().toString(36)}-${made}`,
    // The layer's step becomes that of the next screen.
    depth: replace || layered ? depth : depth + 1,
    from: replace ? from : here,
  };
  moveTo(to, { replace: replace || layered, state });
}

/** A screen takes this long to come in: a second press meanwhile is meant for the screen before it. */
const transition = 300;
let pressedAt = Number.NEGATIVE_INFINITY;

/** Whether a press on a way back is one of its own, not the second half of a double tap. */
function newPress(): boolean {
  // When it was pressed, not when a busy page came to it.
  const now = window.event?.timeStamp ?? performance.now();
  if (now - pressedAt < transition) return false;
  pressedAt = now;
  return true;
}

/** One step back, or home when this app has no step behind it. */
export function goBack(): void {
  if (!newPress()) return;
  // The step of a layer is none of the screen's.
  if ((entry()?.depth ?? 0) > (onLayer() ? 1 : 0)) history.back();
  else navigate(homePath, { replace: true });
}

/** To home, as the way back from a screen that lies right behind it: no later step back leads there again. */
export function goHome(): void {
  if (newPress()) returnTo(homePath);
}

/** Ends a detour: back where the step before is the place to go on, else there in place of the detour. */
export function returnTo(path: string): void {
  const from = entry()?.from;
  // Home's categories are one place.
  const sameHome = path === homePath && from?.split('?')[0] === homePath;
  if (from !== undefined && (from === path || sameHome)) history.back();
  else navigate(path, { replace: true });
}

export function usePath(): string {
  return usePathname();
}

export function useAddressQuery(): URLSearchParams {
  return new URLSearchParams(useSearch());
}

/**
 * A path of this app, or null: `//host`, `/\host` and whole addresses would lead elsewhere, and
 * control characters are dropped by browsers before they read an address.
 */
export function ownPath(value: string | null | undefined): string | null {
  if (!value?.startsWith('/m/') || /[\\\p{Cc}]/u.test(value)) return null;
  const address = new URL(value, location.origin);
  if (address.origin !== location.origin || !address.pathname.startsWith('/m/')) return null;
  return address.pathname + address.search;
}

export type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  to: string;
  replace?: boolean;
  ref?: Ref<HTMLAnchorElement>;
};

/** Whether a click on a link asks for another tab or window, which is the browser's to open. */
export function opensElsewhere(event: MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
}

/** A real link: it opens in a new tab when asked to, and moves inside the app otherwise. */
export function Link({ to, replace = false, onClick, children, ...rest }: LinkProps) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (event.defaultPrevented || opensElsewhere(event) || event.button !== 0) return;
    event.preventDefault();
    navigate(to, { replace });
  }
  return (
    <a href={to} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
