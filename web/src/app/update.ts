// The release that waits behind this page, as its service worker holds it.

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
