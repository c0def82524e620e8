import { deviceOf, type Device } from '../lib/device.ts';
import type { telegram } from './link-codes.gen.ts';
import type { Settings } from './system.ts';

/** What a download link leads to, as the wire names it. */
export type Resource = 'IOS' | 'Android' | 'MOBILECONFIG' | typeof telegram | 'AppDownloadIcon';

/** The address of a resource: another page over a safe line, or a file of this very server. */
export function downloadOf(settings: Settings | undefined, resource: Resource): string | null {
  const url = settings?.downloadLinks.find(({ resourceType }) => resourceType === resource)?.url;
  return url && (url.startsWith('https://') || /^\/(?![/\\])/.test(url)) ? url : null;
}

const wanted: Record<Device, readonly Resource[]> = {
  ios: ['IOS', 'MOBILECONFIG'],
  android: ['Android'],
  other: [],
};

/** Whether the app is offered to a device: the merchant says so, and there is something to download. */
export function isOffered(settings: Settings | undefined, device: Device = deviceOf()): boolean {
  return (
    settings?.appWindow === true &&
    wanted[device].some((resource) => downloadOf(settings, resource) !== null)
  );
}
