import { queryOptions } from '@tanstack/react-query';

import { deviceOf } from '../lib/device.ts';
import { isStandalone } from '../lib/standalone.ts';
import { localStore } from '../lib/storage.ts';
import { isWebClip } from '../lib/web-clip.ts';
import { client, value } from './client.ts';
import { downloadOf, isAppOffered } from './downloads.ts';
import type { Settings } from './system.ts';

const hiddenKey = 'hideDownloadBar';

export function isDownloadBarShown(settings: Settings | undefined): boolean {
  if (isStandalone() || localStore.get(hiddenKey) !== null) return false;
  if (deviceOf() === 'ios' && isWebClip() && !downloadOf(settings, 'IOS')) return false;
  return isAppOffered(settings);
}

export function hideDownloadBar(): void {
  localStore.set(hiddenKey, '1');
}

/** A bonus that a member got for installing the app. */
type Claim = { name: string; points: number };
type Claims = { simulated: boolean; list: (Claim & { key: string })[] };

const maxClaims = 10;

export const claimsQuery = queryOptions({
  queryKey: ['system', 'claims'],
  queryFn: async (): Promise<Claims> => {
    const { source, list } = await value(client.GET('/wps/system/claims'));
    const shown = (list ?? []).slice(0, maxClaims);
    return {
      simulated: source !== 'claims',
      list: shown.map(({ name, points }, index) => ({ key: String(index), name, points })),
    };
  },
  staleTime: 60_000,
});
