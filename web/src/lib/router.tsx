import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react';
import { navigate as moveTo, usePathname, useSearch } from 'wouter/use-browser-location';

/** Where everything leads that has no better place to go. */
export const homePath = '/m/home';

/** What this app keeps with each entry of the browser's history. */
type Entry = {
  /** Names the entry, so that its scroll position can be found again. */
  key: string;
  /** How many entries of this app lie behind this one. */
  depth: number;
};

function entry(): Entry | null {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'depth' in state ? (state as Entry) : null;
}

/** The current entry's name; a page that was opened from outside has none yet. */
export function entryKey(): string {
  return entry()?.key ?? 'first';
}

let made = 0;

export function navigate(to: string, options: { replace?: boolean } = {}): void {
  const depth = entry()?.depth ?? 0;
  // Going to where one is adds no step; another query on the same screen keeps its place on the page.
  const replace = options.replace === true || to === location.pathname + location.search;
  const stays = replace && new URL(to, location.href).pathname === location.pathname;
  made += 1;
  const state: Entry = {
    key: stays ? entryKey() : `${Date.now().toString(36)}-${made}`,
    depth: replace ? depth : depth + 1,
  };
  moveTo(to, { replace, state });
}

/** One step back, or home when this app has no step behind it. */
export function goBack(): void {
  if ((entry()?.depth ?? 0) > 0) history.back();
  else navigate(homePath, { replace: true });
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

/** A real link: it opens in a new tab when asked to, and moves inside the app otherwise. */
export function Link({ to, replace = false, onClick, children, ...rest }: LinkProps) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.defaultPrevented || elsewhere || event.button !== 0) return;
    event.preventDefault();
    navigate(to, { replace });
  }
  return (
    <a href={to} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
