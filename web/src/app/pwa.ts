import { msg } from '@lingui/core/macro';

import { toast } from '../ui/toastStore.ts';
import { activate } from './update.ts';

type ScriptPolicy = { createScriptURL: (url: string) => string };
type TrustedTypes = {
  createPolicy: (name: string, rules: ScriptPolicy) => ScriptPolicy;
};

const worker = `${import.meta.env.BASE_URL}sw.js`;

/** Returns the worker's URL, as a trusted script URL if the browser requires one. */
function workerUrl(): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const allowWorker = (url: string) => {
    if (url === worker) return url;
    throw new TypeError('not a script of this app');
  };
  if (!trustedTypes) return worker;
  return trustedTypes
    .createPolicy('fairground', { createScriptURL: allowWorker })
    .createScriptURL(worker);
}

/** Installs the service worker and offers each new version. */
export async function install(): Promise<void> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.register(workerUrl());
  if (registration.waiting && serviceWorker.controller) offerUpdate(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const next = registration.installing;
    next?.addEventListener('statechange', () => {
      // The first worker replaces nothing.
      if (next.state === 'installed' && serviceWorker.controller) offerUpdate(next);
    });
  });
}

/** Lets the member choose when to reload. */
function offerUpdate(next: ServiceWorker): void {
  toast.show(msg`A new version is ready`, {
    persistent: true,
    action: { label: msg`Reload`, onPress: () => activate(next) },
  });
}
