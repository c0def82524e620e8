import { useQuery } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { facebookLoginFlag, googleLoginFlag } from './switches.gen.ts';
import { settingsQuery, switchesQuery } from './system.ts';

/** Another service whose accounts serve as a way in, and where going there begins. */
export type ExternalLogin = { service: 'Facebook' | 'Google'; address: string };

const services = [
  { name: 'facebook', service: 'Facebook', flag: facebookLoginFlag },
  { name: 'google', service: 'Google', flag: googleLoginFlag },
] as const;

/** Those that the merchant has switched on and the server can really ask. */
function useServices(): (typeof services)[number][] {
  const { data: settings } = useQuery(settingsQuery);
  const { data: switches } = useQuery(switchesQuery);
  return services.filter(({ name, flag }) => switches?.flag(flag) && settings?.signIn?.[name]);
}

/** The ways in by them. They lead back to the login. */
export function useExternalLogins(returnTo: string): ExternalLogin[] {
  return useServices().map(({ name, service }) => ({
    service,
    address: `/wps/session/outside/${name}/start?return=${encodeURIComponent(returnTo)}`,
  }));
}

/** A way to log in again there. */
export type LoginAgain = { service: ExternalLogin['service']; leave: () => Promise<void> };

/** The ways for a member to log in again by them, which nobody else can end. */
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

/** Keeps the ticket of somebody who is no member yet, while they read what they agree to. In memory only. */
export function storeTicket(ticket: string): void {
  stored = ticket;
}

export const storedTicket = (): string | null => stored;

export function clearTicket(): void {
  stored = null;
}
