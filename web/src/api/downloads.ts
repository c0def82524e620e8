import { deviceOf, type Device } from '../lib/device.ts';
import type { telegram } from './link-codes.gen.ts';
import type { Settings } from './system.ts';

/** What a download link leads to, by its name in the API. */
export type DownloadType = 'IOS' | 'Android' | 'MOBILECONFIG' | typeof telegram | 'AppDownloadIcon';

/** Returns the URL of a download: an https page or a file of this server. */
export function downloadOf(settings: Settings | undefined, type: DownloadType): string | null {
  const url = settings?.downloadLinks.find(({ resourceType }) => resourceType === type)?.url;
  return url && (url.startsWith('https://') || /^\/(?![/\\])/.test(url)) ? url : null;
}

const downloadTypes: Record<Device, readonly DownloadType[]> = {
  ios: ['IOS', 'MOBILECONFIG'],
  android: ['Android'],
  other: [],
};

/** Reports whether the merchant offers the app (`appWindow`) and has a download for the device. */
export function isAppOffered(settings: Settings | undefined, device: Device = deviceOf()): boolean {
  return (
    settings?.appWindow === true &&
    downloadTypes[device].some((type) => downloadOf(settings, type) !== null)
  );
}
