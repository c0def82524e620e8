import { queryOptions } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { client, value } from './client.ts';
import { everyoneKey } from './member.ts';
import type { components } from './schema.d.ts';

export type Announcement = components['schemas']['ContentAnnouncement'];

/** Content types on the wire. */
const bannerType = 'B';
const playerType = 'PL';

/** All that home announces, in one call. What is read differs by member. */
export const announcementsQuery = (language: Language) =>
  queryOptions({
    queryKey: [...everyoneKey, 'announcements', language],
    queryFn: (): Promise<Announcement[]> => {
      const query = { types: 'B,PL,PU', groupName: 'm_home', platform: 'M' };
      return value(client.GET('/wps/relay/MCSFE_getListAnnouncements', { params: { query } }));
    },
    staleTime: 60_000,
  });

export const bannersOf = (list: Announcement[]): Announcement[] =>
  list.filter((item) => item.type === bannerType && item.groupName === 'm_home');

export const noticesOf = (list: Announcement[]): Announcement[] =>
  list.filter((item) => item.type === playerType);

export const unreadOf = (list: Announcement[]): number =>
  noticesOf(list).filter((item) => !item.read).length;
