// The page's policy names the origins that may be framed, as they were when the page was fetched; the worker keeps a page,
// and its policy with it, until the next release. Where a game's origin came later the browser refuses the frame: the
// page is then fetched anew, once, kept in place of the old one and loaded.
import { useEffect, useEffectEvent } from 'react';

import { sessionStore } from '../../lib/storage.ts';

const page = `${import.meta.env.BASE_URL}index.html`;

/** So soon after a renewal another would change nothing. */
const soon = 60_000;

const renewedKey = (origin: string): string => `page.renewed.${origin}`;

/** Puts the server's page of the moment, headers and all, where the worker keeps it. */
async function renewKept(): Promise<void> {
  const names = 'caches' in window ? await caches.keys() : [];
  await Promise.all(
    names.map(async (name) => {
      const cache = await caches.open(name);
      const kept = (await cache.keys()).filter(({ url }) => new URL(url).pathname === page);
      if (kept.length === 0) return;
      // With a query of its own it does not come from the very store that is to be renewed.
      const fresh = await fetch(`${page}?at=${Date.now()}`, { cache: 'no-store' });
      if (!fresh.ok) throw new Error(`the page could not be fetched: ${fresh.status}`);
      await Promise.all(kept.map((request) => cache.put(request, fresh.clone())));
    }),
  );
}

/** Loads the page with the policy of now. False: that was done a moment ago, and the origin is still not allowed. */
export async function renewPage(origin: string, now = Date.now()): Promise<boolean> {
  const before = Number(sessionStore.get(renewedKey(origin)) ?? 0);
  if (now - before < soon) return false;
  await renewKept();
  sessionStore.set(renewedKey(origin), String(now));
  location.reload();
  return true;
}

/** Watches for the browser refusing a frame of this origin. */
export function useRenewedPolicy(origin: string, onRefused: () => void): void {
  const refused = useEffectEvent(onRefused);
  useEffect(() => {
    const look = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
      if (effectiveDirective !== 'frame-src' || !blockedURI.startsWith(origin)) return;
      renewPage(origin).then(
        (renewed) => renewed || refused(),
        () => refused(),
      );
    };
    document.addEventListener('securitypolicyviolation', look);
    return () => document.removeEventListener('securitypolicyviolation', look);
  }, [origin]);
}
