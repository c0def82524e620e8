import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { complete, completeAll } from '../lib/complete.ts';
import { defaultCurrency } from '../lib/currency.ts';
import { hot } from './categories.gen.ts';
import { client, setMerchant, value } from './client.ts';
import { servicesPath, settingsPath, statusPath, switchesPath } from './home-calls.ts';
import type { components } from './schema.d.ts';
import { decodeStatus, type SystemState } from './status.ts';
import type { Flag, Module, Promotion } from './switches.gen.ts';

export type Settings = components['schemas']['MerchantConsolidated'];

export type Status = {
  ip: string;
  state: SystemState;
  /** The category that home shows first. */
  homeCategory: string;
  /** The category that the lobby opens with. */
  lobbyCategory: string;
  /** The planned end and the operator's note, while the site is closed. */
  maintenance: { until: number | null; note: string } | null;
};

const fiveMinutes = 5 * 60_000;
/** How often a closed site checks whether it is open again. */
const closedRefetchMs = 30_000;

export const statusQuery = queryOptions({
  queryKey: ['system', 'status'],
  queryFn: async ({ client: cache }): Promise<Status> => {
    const status = await value(client.GET(statusPath));
    const code = status.systemStatus ?? 0;
    return {
      ip: status.ip,
      state: decodeStatus(code, code ? await readingOf(status, cache) : undefined),
      homeCategory: status.homeGameCategory || hot,
      lobbyCategory: status.gamePageAvtiveCategory,
      maintenance: status.maintenance ?? null,
    };
  },
  staleTime: 60_000,
  refetchInterval: ({ state: { data } }) =>
    data && data.state !== 'normal' ? closedRefetchMs : false,
});

/** Returns the numbering of the status. Some servers send it only with the settings. */
async function readingOf(
  { statusReading }: { statusReading?: string },
  cache: QueryClient,
): Promise<string | undefined> {
  if (statusReading) return statusReading;
  const settings = await cache.ensureQueryData(settingsQuery).catch(() => null);
  return settings?.statusReading;
}

/** The defaults for settings that a merchant has not set. */
const defaults: Partial<Settings> = {
  currency: { ...defaultCurrency, decimals: 2 },
  downloadLinks: [],
  licences: [],
  signIn: {} as Settings['signIn'],
};

export const settingsQuery = queryOptions({
  queryKey: ['system', 'settings'],
  queryFn: async (): Promise<Settings> => {
    const settings = await value(client.GET(settingsPath));
    setMerchant(settings.merchantCode);
    return complete(defaults, settings);
  },
  staleTime: fiveMinutes,
});

/** The kind of the operator's own customer service. */
export const customerService = 'CS';

/** The contacts of the merchant. Their paths are encrypted; service.ts decrypts them. */
export const servicesQuery = queryOptions({
  queryKey: ['system', 'service'],
  queryFn: async () => completeAll({}, await value(client.GET(servicesPath))),
  staleTime: fiveMinutes,
});

/** The functions that the merchant has enabled. */
export type Switches = {
  flag: (code: Flag) => boolean;
  module: (code: Module) => boolean;
  promotion: (code: Promotion) => boolean;
};

const allOff: components['schemas']['MerchantSwitches'] = {
  flags: {},
  modules: {},
  promotions: {},
};

export const switchesQuery = queryOptions({
  queryKey: ['system', 'whitelabel'],
  queryFn: async () => complete(allOff, await value(client.GET(switchesPath))),
  select: ({ flags, modules, promotions }): Switches => ({
    flag: (code) => flags[code] === true,
    module: (code) => modules[code] === true,
    promotion: (code) => promotions[code] === true,
  }),
  staleTime: fiveMinutes,
});
