import { queryOptions } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { client, value } from './client.ts';
import { banner, liveGroup } from './content-types.gen.ts';
import { fetchAnnouncements, type Announcement } from './content.ts';
import { everyoneKey } from './member.ts';

/** The banners of the live tables; none where nobody presents any. */
export const liveBannersQuery = (language: Language) =>
  queryOptions({
    queryKey: [...everyoneKey, 'announcements', language, liveGroup],
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
