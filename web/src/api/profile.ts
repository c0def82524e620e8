import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { client, requestHeaders, value } from './client.ts';
import { memberQuery, ownKey } from './member.ts';
import type { components } from './schema.d.ts';
import { avatarModule } from './switches.gen.ts';

export type Profile = components['schemas']['MemberProfileReply'];
export type ProfileChange = components['schemas']['MemberProfileBody'];

/** What the member has told, with what nobody needs to read again masked. */
export const profileQuery = queryOptions({
  queryKey: [...ownKey, 'profile'],
  queryFn: () => value(client.GET('/wps/member/profile')),
  staleTime: 60_000,
});

/** Changes what is named and leaves the rest. */
export async function changeProfile(cache: QueryClient, change: ProfileChange): Promise<void> {
  await value(client.PUT('/wps/member/profile', { body: change }));
  await refreshed(cache);
}

export const headIconQuery = queryOptions({
  queryKey: [...ownKey, 'headIcon'],
  queryFn: () =>
    value(client.GET('/wps/member/headIcon', { headers: requestHeaders(avatarModule) })),
  staleTime: 60_000,
});

export async function choosePreset(cache: QueryClient, preset: string): Promise<void> {
  const headers = requestHeaders(avatarModule);
  await value(client.PUT('/wps/member/headIcon', { body: { preset }, headers }));
  await refreshed(cache);
}

/** Makes a picture the member's. It is sent as it is: the server keeps the square in its middle. */
export async function uploadPicture(cache: QueryClient, picture: Blob): Promise<void> {
  await value(
    client.POST('/wps/member/headIcon/upload', {
      headers: { ...requestHeaders(avatarModule), 'Content-Type': picture.type },
      // The document can only say that it is a file.
      body: picture as unknown as string,
      bodySerializer: (body) => body,
    }),
  );
  await refreshed(cache);
}

/** Asks again for all that shows the name and the picture. */
async function refreshed(cache: QueryClient): Promise<void> {
  await Promise.all(
    [profileQuery.queryKey, headIconQuery.queryKey, memberQuery.queryKey].map((queryKey) =>
      cache.invalidateQueries({ queryKey }),
    ),
  );
}
