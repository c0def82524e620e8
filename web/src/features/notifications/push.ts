// The push subscription of this browser.
import { subscribeToPush, unsubscribeFromPush } from '../../api/notifications.ts';
import { currentSession } from '../../api/session.ts';
import { fromBase64Url } from '../../lib/base64url.ts';
import { localStore } from '../../lib/storage.ts';

/** The member who switched push on in this browser. */
const ownerKey = 'push-member';

const currentMember = (): string | undefined => currentSession()?.userName;

export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

async function register(made: PushSubscription): Promise<boolean> {
  const { endpoint, keys } = made.toJSON();
  if (!endpoint || !keys?.['p256dh'] || !keys['auth']) return false;
  await subscribeToPush({ endpoint, p256dh: keys['p256dh'], auth: keys['auth'] });
  return true;
}

/**
 * Registers this browser again if the member has switched push on here, and reports whether it receives push messages. On the server a
 * subscription ends with the login that made it.
 */
export async function renewPush(): Promise<boolean> {
  if (!canPush() || Notification.permission !== 'granted') return false;
  const member = currentMember();
  if (!member || localStore.get(ownerKey) !== member) return false;
  const made = await subscription();
  return made !== null && register(made);
}

/** Asks for the permission and subscribes. Returns false if the member or the browser refuses. */
export async function startPush(key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const registration = await navigator.serviceWorker.ready;
  const made = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: fromBase64Url(key),
  });
  const registered = await register(made);
  if (registered) localStore.set(ownerKey, currentMember() ?? '');
  return registered;
}

export async function stopPush(): Promise<void> {
  const current = await subscription();
  if (current) await unsubscribeFromPush(current.endpoint);
  // Only now: until the server stops, the switch must show "on".
  localStore.remove(ownerKey);
  await current?.unsubscribe();
}
