import { msg } from '@lingui/core/macro';

import { toast } from '../ui/toastStore.ts';
import { activate } from './update.ts';

type ScriptPolicy = { createScriptURL: (address: string) => string };
type TrustedTypes = {
  createPolicy: (name: string, rules: ScriptPolicy) => ScriptPolicy;
};

const worker = `${import.meta.env.BASE_URL}sw.js`;

/** The one script address this app ever loads by name, vouched for where the browser asks for it. */
function workerUrl(): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const vouch = (address: string) => {
    if (address === worker) return address;
    throw new TypeError('not a script of this app');
  };
  if (!trustedTypes) return worker;
  return trustedTypes
    .createPolicy('fairground', { createScriptURL: vouch })
    .createScriptURL(worker);
}

/** Installs the service worker, and offers each new version that it finds. */
export async function install(): Promise<void> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.register(workerUrl());
  if (registration.waiting && serviceWorker.controller) offerUpdate(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const next = registration.installing;
    next?.addEventListener('statechange', () => {
      // The very first worker replaces nothing.
      if (next.state === 'installed' && serviceWorker.controller) offerUpdate(next);
    });
  });
}

/** The member decides when the page is replaced: never in the middle of something. */
function offerUpdate(next: ServiceWorker): void {
  toast.show(msg`A new version is ready`, {
    persistent: true,
    action: { label: msg`Reload`, onPress: () => activate(next) },
  });
}
