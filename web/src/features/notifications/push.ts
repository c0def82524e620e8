// The push subscription of this browser.
import { subscribeToPush, unsubscribeFromPush } from '../../api/notifications.ts';
import { fromBase64Url } from '../../lib/base64url.ts';

export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Reports whether this browser receives push messages. */
export async function isPushOn(): Promise<boolean> {
  return Notification.permission === 'granted' && (await subscription()) !== null;
}

/** Asks for the permission and subscribes. Returns false if the member or the browser refuses. */
export async function startPush(key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const registration = await navigator.serviceWorker.ready;
  const made = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: fromBase64Url(key),
  });
  const { endpoint, keys } = made.toJSON();
  if (!endpoint || !keys?.['p256dh'] || !keys['auth']) return false;
  await subscribeToPush({ endpoint, p256dh: keys['p256dh'], auth: keys['auth'] });
  return true;
}

export async function stopPush(): Promise<void> {
  const held = await subscription();
  if (!held) return;
  await unsubscribeFromPush(held.endpoint);
  await held.unsubscribe();
}
