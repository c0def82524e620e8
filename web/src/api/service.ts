import { queryOptions } from '@tanstack/react-query';

import { ownPath } from '../lib/router.tsx';
import { servicesQuery } from './system.ts';

/** A way to reach somebody: what it is, and the address that opens it. */
export type ServiceLink = { type: string; href: string };

/** The affiliates' own address stands in clear. */
const affiliate = 'AFFILIATELINK';
const keyLength = 8;
const nonceLength = 12;

/**
 * Reads a path. Its last eight characters are the key to the rest, so this keeps addresses from being collected by
 * machines and is no secret at all.
 */
async function readPath(path: string): Promise<string | null> {
  // Pages that did not come over a secure line have no ciphers.
  const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto };
  const sealed = bytesOf(path.slice(0, -keyLength));
  if (!subtle || !sealed || sealed.length <= nonceLength) return null;
  const name = 'AES-GCM';
  const material = new TextEncoder().encode(path.slice(-keyLength));
  try {
    const digest = await subtle.digest('SHA-256', material);
    const key = await subtle.importKey('raw', digest, name, false, ['decrypt']);
    const iv = sealed.slice(0, nonceLength);
    const clear = await subtle.decrypt({ name, iv }, key, sealed.slice(nonceLength));
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

/** An address that may be opened: a screen of this app, a page elsewhere, a number to call, a mailbox. */
function safe(address: string | null | undefined): string | null {
  if (!address) return null;
  if (address.startsWith('/')) return ownPath(address);
  return /^(?:https?|mailto|tel):/i.test(address) && URL.canParse(address) ? address : null;
}

export const serviceLinksQuery = queryOptions({
  queryKey: ['system', 'service', 'links'],
  queryFn: async ({ client: cache }): Promise<ServiceLink[]> => {
    const entries = await cache.ensureQueryData(servicesQuery);
    const links = await Promise.all(
      entries.map(async ({ csType, path, url }) => ({
        type: csType,
        href: safe(csType === affiliate || !path ? url : await readPath(path)),
      })),
    );
    return links.flatMap(({ type, href }) => (href ? [{ type, href }] : []));
  },
  staleTime: 5 * 60_000,
});

/** The address of the first entry of a kind. */
export const linkOf = (links: readonly ServiceLink[] | undefined, type: string): string | null =>
  links?.find((link) => link.type === type)?.href ?? null;
