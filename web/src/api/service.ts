import { queryOptions } from '@tanstack/react-query';

import { ownPath } from '../lib/router.tsx';
import { servicesQuery } from './system.ts';

/** A way to contact customer service: its kind and its URL. */
export type ServiceLink = { type: string; href: string };

/** The affiliates' URL is not encrypted. */
const affiliate = 'AFFILIATELINK';
const keyLength = 8;
const nonceLength = 12;

/**
 * Decrypts a path. Its last eight characters are the key. This only hides URLs from crawlers. It is not a secret.
 */
async function readPath(path: string): Promise<string | null> {
  // Insecure pages have no SubtleCrypto.
  const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto };
  const encrypted = bytesOf(path.slice(0, -keyLength));
  if (!subtle || !encrypted || encrypted.length <= nonceLength) return null;
  const name = 'AES-GCM';
  const material = new TextEncoder().encode(path.slice(-keyLength));
  try {
    const digest = await subtle.digest('SHA-256', material);
    const key = await subtle.importKey('raw', digest, name, false, ['decrypt']);
    const iv = encrypted.slice(0, nonceLength);
    const clear = await subtle.decrypt({ name, iv }, key, encrypted.slice(nonceLength));
    return new TextDecoder().decode(clear);
  } catch {
    return null;
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]+$/.test(text)) return null;
  try {
    const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(plain, (letter) => letter.codePointAt(0) ?? 0);
  } catch {
    return null;
  }
}

/** Returns the URL if it is safe to open: a path of this app, a web page, a phone number or a mailbox. */
function safeHref(href: string | null | undefined): string | null {
  if (!href) return null;
  if (href.startsWith('/')) return ownPath(href);
  return /^(?:https?|mailto|tel):/i.test(href) && URL.canParse(href) ? href : null;
}

export const serviceLinksQuery = queryOptions({
  queryKey: ['system', 'service', 'links'],
  queryFn: async ({ client: cache }): Promise<ServiceLink[]> => {
    const entries = await cache.ensureQueryData(servicesQuery);
    const links = await Promise.all(
      entries.map(async ({ csType, path, url }) => ({
        type: csType,
        href: safeHref(csType === affiliate || !path ? url : await readPath(path)),
      })),
    );
    return links.flatMap(({ type, href }) => (href ? [{ type, href }] : []));
  },
  staleTime: 5 * 60_000,
});

export const linkOf = (links: readonly ServiceLink[] | undefined, type: string): string | null =>
  links?.find((link) => link.type === type)?.href ?? null;
