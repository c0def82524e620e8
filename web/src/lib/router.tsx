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

/** The destination when there is no other. */
export const homePath = '/m/home';

let made = 0;

let guard: (to: string) => boolean = () => true;

/** Sets the function that reports whether a member may open a path, and shows the refusal if not. */
export function setNavigationGuard(next: (to: string) => boolean): void {
  guard = next;
}

/** Reports whether the member may open a path. A refusal shows its message, and the member stays (RO-10). */
export const mayOpen = (to: string): boolean => guard(to);

/** Navigates inside the app and closes any layer, if the member may open the path. */
export function navigate(to: string, options: { replace?: boolean } = {}): void {
  // A screen that is being replaced cannot stay, so the next screen shows the refusal.
  if (!options.replace && !mayOpen(to)) return;
  if (afterStep(() => navigate(to, options))) return;
  const here = location.pathname + location.search;
  const layered = onLayer();
  if (layered) closeLayers();
  // The same URL adds no entry. Another query on the same screen keeps the scroll position.
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
    // The next screen reuses the layer's entry.
    depth: replace || layered ? depth : depth + 1,
    from: replace ? from : here,
  };
  moveTo(to, { replace: replace || layered, state });
}

/** A screen transition lasts this long. A second tap within it was meant for the previous screen. */
const transition = 300;
let pressedAt = Number.NEGATIVE_INFINITY;

/** Reports whether a tap on a back button counts. The second tap of a double tap does not. */
function newPress(): boolean {
  // Use the time of the press, because a busy page may handle it later.
  const now = window.event?.timeStamp ?? performance.now();
  if (now - pressedAt < transition) return false;
  pressedAt = now;
  return true;
}

/** Goes one step back, or home when the app has no earlier entry. */
export function goBack(): void {
  if (!newPress()) return;
  // A layer's entry does not count.
  if ((entry()?.depth ?? 0) > (onLayer() ? 1 : 0)) history.back();
  else navigate(homePath, { replace: true });
}

/** Goes home, replacing this screen's entry when home is right before it. */
export function goHome(): void {
  if (newPress()) returnTo(homePath);
}

/** Leaves a screen such as the login for its destination: goes one step back if that leads there, or else replaces the screen. */
export function returnTo(path: string): void {
  const from = entry()?.from;
  // All of home's categories count as the same screen.
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
 * Returns a path of this app, or null. `//host`, `/\host` and full URLs would lead elsewhere, and browsers drop control characters
 * from URLs.
 */
export function ownPath(value: string | null | undefined): string | null {
  if (!value?.startsWith('/m/') || /[\\\p{Cc}]/u.test(value)) return null;
  const url = new URL(value, location.origin);
  if (url.origin !== location.origin || !url.pathname.startsWith('/m/')) return null;
  return url.pathname + url.search;
}

export type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  to: string;
  replace?: boolean;
  ref?: Ref<HTMLAnchorElement>;
};

/** Reports whether a click asks the browser for a new tab or window. */
export function opensElsewhere(event: MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
}

/** A link that navigates inside the app and can open in a new tab. */
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
