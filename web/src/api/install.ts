import { queryOptions } from '@tanstack/react-query';

import { deviceOf } from '../lib/device.ts';
import { isStandalone } from '../lib/standalone.ts';
import { localStore } from '../lib/storage.ts';
import { isWebClip } from '../lib/web-clip.ts';
import { client, value } from './client.ts';
import { downloadOf, isOffered } from './downloads.ts';
import type { Settings } from './system.ts';

const hiddenKey = 'hideDownloadBar';

/** Whether the bar that offers the app may be seen. */
export function barWanted(settings: Settings | undefined): boolean {
  if (isStandalone() || localStore.get(hiddenKey) !== null) return false;
  if (deviceOf() === 'ios' && isWebClip() && !downloadOf(settings, 'IOS')) return false;
  return isOffered(settings);
}

/** Hides that bar, for good. */
export function hideBar(): void {
  localStore.set(hiddenKey, '1');
}

/** A bonus that somebody took for installing. */
type Claim = { name: string; points: number };
/** The list, each with its place in it. */
type Claims = { simulated: boolean; list: (Claim & { key: string })[] };

/** The list never has more. */
const mostClaims = 10;

export const claimsQuery = queryOptions({
  queryKey: ['system', 'claims'],
  queryFn: async (): Promise<Claims> => {
    const { source, list } = await value(client.GET('/wps/system/claims'));
    const shown = (list ?? []).slice(0, mostClaims);
    return {
      simulated: source !== 'claims',
      list: shown.map(({ name, points }, place) => ({ key: String(place), name, points })),
    };
  },
  staleTime: 60_000,
});
