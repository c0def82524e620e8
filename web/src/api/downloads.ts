import { deviceOf, type Device } from '../lib/device.ts';
import type { telegram } from './link-codes.gen.ts';
import type { Settings } from './system.ts';

/** The platform of a download link, by its name in the API. */
export type Resource = 'IOS' | 'Android' | 'MOBILECONFIG' | typeof telegram | 'AppDownloadIcon';

/** Returns the URL of a resource: an https page or a file of this server. */
export function downloadOf(settings: Settings | undefined, resource: Resource): string | null {
  const url = settings?.downloadLinks.find(({ resourceType }) => resourceType === resource)?.url;
  return url && (url.startsWith('https://') || /^\/(?![/\\])/.test(url)) ? url : null;
}

const offeredResources: Record<Device, readonly Resource[]> = {
  ios: ['IOS', 'MOBILECONFIG'],
  android: ['Android'],
  other: [],
};

/** Reports whether the merchant offers the app and has a download for the device. */
export function isOffered(settings: Settings | undefined, device: Device = deviceOf()): boolean {
  return (
    settings?.appWindow === true &&
    offeredResources[device].some((resource) => downloadOf(settings, resource) !== null)
  );
}
