import { msg } from '@lingui/core/macro';

import { toast } from '../ui/toastStore.ts';

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

/** Installs the service worker, once the page has done what it came for. */
export function startInstalling(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  if (document.readyState === 'complete') install();
  else addEventListener('load', install, { once: true });
}

/** Without a worker the app works all the same, so that nobody needs to hear of a failure. */
function install(): void {
  register().catch(() => {});
}

async function register(): Promise<void> {
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
    stays: true,
    action: { label: msg`Reload`, onPress: () => activate(next) },
  });
}

/** Lets a waiting worker take over, and loads its page. */
export function activate(next: ServiceWorker): void {
  next.addEventListener('statechange', () => {
    if (next.state === 'activated') location.reload();
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  next.postMessage({ type: 'SKIP_WAITING' });
}

/** The worker of a newer release that waits to take over, looked for on the server too. */
export async function findUpdate(): Promise<ServiceWorker | null> {
  if (!('serviceWorker' in navigator)) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration) return null;
  if (!registration.waiting) {
    await registration.update();
    if (registration.installing) await installed(registration.installing);
  }
  return registration.waiting;
}

function installed(next: ServiceWorker): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (next.state !== 'installing') resolve();
    };
    next.addEventListener('statechange', look);
    look();
  });
}
