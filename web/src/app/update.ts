// Updates of the service worker.

/** Activates a waiting worker and reloads the page. */
export function activate(next: ServiceWorker): void {
  next.addEventListener('statechange', () => {
    if (next.state === 'activated') location.reload();
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  next.postMessage({ type: 'SKIP_WAITING' });
}

/** Returns the waiting worker of a newer release, after checking the server for one. */
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
    const onChange = () => {
      if (next.state !== 'installing') resolve();
    };
    next.addEventListener('statechange', onChange);
    onChange();
  });
}
