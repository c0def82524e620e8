import { queryOptions } from '@tanstack/react-query';

import { client, setMerchant, value } from './client.ts';
import type { components } from './schema.d.ts';
import { decodeStatus, type SystemState } from './status.ts';

export type Settings = components['schemas']['MerchantConsolidated'];

/** What the server says about itself and about where the member is. */
export type Status = {
  ip: string;
  state: SystemState;
  /** Which games home shows first. */
  homeCategory: string;
  /** Which category the lobby opens with. */
  lobbyCategory: string;
  country: string;
};

const fiveMinutes = 5 * 60_000;
/** How often a closed app asks whether it is open again. */
const closedInterval = 30_000;

export const statusQuery = queryOptions({
  queryKey: ['system', 'status'],
  queryFn: async (): Promise<Status> => {
    const status = await value(client.GET('/wps/system/status'));
    return {
      ip: status.ip,
      state: decodeStatus(status.systemStatus, status.statusReading),
      homeCategory: status.homeGameCategory || 'HOT',
      lobbyCategory: status.gamePageAvtiveCategory,
      country: status.country,
    };
  },
  staleTime: 60_000,
  refetchInterval: ({ state: { data } }) =>
    data && data.state !== 'normal' ? closedInterval : false,
});

export const settingsQuery = queryOptions({
  queryKey: ['system', 'settings'],
  queryFn: async (): Promise<Settings> => {
    const settings = await value(client.GET('/wps/system/settings/consolidated'));
    setMerchant(settings.merchantCode);
    return settings;
  },
  staleTime: fiveMinutes,
});

/** Which functions the merchant has switched on. */
export type Switches = {
  flag: (code: string) => boolean;
  promotion: (code: string) => boolean;
};

export const switchesQuery = queryOptions({
  queryKey: ['system', 'whitelabel'],
  queryFn: () => value(client.GET('/wps/system/whitelabel')),
  select: ({ flags, promotions }): Switches => ({
    flag: (code) => flags[code] === true,
    promotion: (code) => promotions[code] === true,
  }),
  staleTime: fiveMinutes,
});
