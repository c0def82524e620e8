import { useQuery } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { facebookLoginFlag, googleLoginFlag } from './switches.gen.ts';
import { settingsQuery, switchesQuery } from './system.ts';

/** A service with which a member can log in. `url` starts the login. */
export type ExternalLogin = { service: 'Facebook' | 'Google'; url: string };

const services = [
  { name: 'facebook', service: 'Facebook', flag: facebookLoginFlag },
  { name: 'google', service: 'Google', flag: googleLoginFlag },
] as const;

/** Returns the services that the merchant enabled and the server has configured. */
function useServices(): (typeof services)[number][] {
  const { data: settings } = useQuery(settingsQuery);
  const { data: switches } = useQuery(switchesQuery);
  return services.filter(({ name, flag }) => switches?.flag(flag) && settings?.signIn?.[name]);
}

/** Returns the external logins. Each leads back to the login screen. */
export function useExternalLogins(returnTo: string): ExternalLogin[] {
  return useServices().map(({ name, service }) => ({
    service,
    url: `/wps/session/outside/${name}/start?return=${encodeURIComponent(returnTo)}`,
  }));
}

/** A service with which a member proves their identity by logging in again. `leave` opens it. */
export type LoginAgain = { service: ExternalLogin['service']; leave: () => Promise<void> };

export function useLoginAgain(returnTo: string): LoginAgain[] {
  return useServices().map(({ name, service }) => ({
    service,
    leave: async () => {
      const body = { return: returnTo };
      const { address } = await value(client.POST(`/wps/session/outside/${name}/again`, { body }));
      location.assign(address);
    },
  }));
}

let stored: string | null = null;

/** Stores the ticket of a new user while they read the terms. It is in memory only. */
export function storeTicket(ticket: string): void {
  stored = ticket;
}

export const storedTicket = (): string | null => stored;

export function clearTicket(): void {
  stored = null;
}
