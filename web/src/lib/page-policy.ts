// The page's content security policy lists the origins that it may frame, load and play. The service worker caches the page with its policy until
// the next release. When the browser refuses a newer origin, this module updates the cached page and reloads, once.
import { useEffect, useEffectEvent } from 'react';

import { sessionStore } from './storage.ts';

const page = `${import.meta.env.BASE_URL}index.html`;

const minRenewalIntervalMs = 60_000;

const renewedKey = (origin: string): string => `page.renewed.${origin}`;

async function updateCachedPage(): Promise<void> {
  const names = 'caches' in window ? await caches.keys() : [];
  await Promise.all(
    names.map(async (name) => {
      const cache = await caches.open(name);
      const cached = (await cache.keys()).filter(({ url }) => new URL(url).pathname === page);
      if (cached.length === 0) return;
      // The query keeps the worker from answering with the cached page.
      const fresh = await fetch(`${page}?at=${Date.now()}`, { cache: 'no-store' });
      if (!fresh.ok) throw new Error(`the page could not be fetched: ${fresh.status}`);
      await Promise.all(cached.map((request) => cache.put(request, fresh.clone())));
    }),
  );
}

/** Reloads the page with the current policy. Returns false when it did so recently and the origin is still refused. */
export async function renewPage(origin: string, now = Date.now()): Promise<boolean> {
  const before = Number(sessionStore.get(renewedKey(origin)) ?? 0);
  if (now - before < minRenewalIntervalMs) return false;
  await updateCachedPage();
  sessionStore.set(renewedKey(origin), String(now));
  location.reload();
  return true;
}

/** Reloads the page with the current policy when the browser refuses this origin. Calls `onRefused` if the origin is still refused. */
export function usePolicyRenewal(
  origin: string,
  directives: readonly string[],
  onRefused: () => void,
): void {
  const refused = useEffectEvent(onRefused);
  const isWatched = useEffectEvent((directive: string) => directives.includes(directive));
  useEffect(() => {
    const onViolation = ({
      effectiveDirective,
      blockedURI,
    }: SecurityPolicyViolationEvent): void => {
      if (!isWatched(effectiveDirective) || !blockedURI.startsWith(origin)) return;
      renewPage(origin).then(
        (renewed) => renewed || refused(),
        () => refused(),
      );
    };
    document.addEventListener('securitypolicyviolation', onViolation);
    return () => document.removeEventListener('securitypolicyviolation', onViolation);
  }, [origin]);
}
