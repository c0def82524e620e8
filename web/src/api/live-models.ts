import { queryOptions } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { client, value } from './client.ts';
import { banner, liveGroup } from './content-types.gen.ts';
import { fetchAnnouncements, type Announcement } from './content.ts';
import { viewerKey } from './member.ts';

/** The banners of the live tables. There are none while no model is streaming. */
export const liveBannersQuery = (language: Language) =>
  queryOptions({
    queryKey: [...viewerKey, 'announcements', language, liveGroup],
    queryFn: async ({ client: cache }): Promise<Announcement[]> => {
      const models = await value(
        client.GET('/wps/relay/LIVE_getModelList', {
          params: { query: { status: 'active,streaming' } },
        }),
      );
      if (!models?.length) return [];
      const banners = await fetchAnnouncements(cache, { types: banner, groupName: liveGroup });
      return banners.filter(({ groupName }) => groupName === liveGroup);
    },
    staleTime: 60_000,
  });
