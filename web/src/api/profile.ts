import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { client, requestHeaders, value } from './client.ts';
import { memberQuery, memberKey } from './member.ts';
import type { components } from './schema.d.ts';
import { avatarModule } from './switches.gen.ts';

export type Profile = components['schemas']['MemberProfileReply'];
export type ProfileChange = components['schemas']['MemberProfileBody'];

/** The member's profile. Sensitive fields are masked. */
export const profileQuery = queryOptions({
  queryKey: [...memberKey, 'profile'],
  queryFn: () => value(client.GET('/wps/member/profile')),
  staleTime: 60_000,
});

/** Changes the given fields only. */
export async function changeProfile(cache: QueryClient, change: ProfileChange): Promise<void> {
  await value(client.PUT('/wps/member/profile', { body: change }));
  await refreshProfile(cache);
}

export const headIconQuery = queryOptions({
  queryKey: [...memberKey, 'headIcon'],
  queryFn: () =>
    value(client.GET('/wps/member/headIcon', { headers: requestHeaders(avatarModule) })),
  staleTime: 60_000,
});

export async function choosePreset(cache: QueryClient, preset: string): Promise<void> {
  const headers = requestHeaders(avatarModule);
  await value(client.PUT('/wps/member/headIcon', { body: { preset }, headers }));
  await refreshProfile(cache);
}

/** Uploads a picture. The server crops it to a square. */
export async function uploadPicture(cache: QueryClient, picture: Blob): Promise<void> {
  await value(
    client.POST('/wps/member/headIcon/upload', {
      headers: { ...requestHeaders(avatarModule), 'Content-Type': picture.type },
      // The OpenAPI document types a file body as a string.
      body: picture as unknown as string,
      bodySerializer: (body) => body,
    }),
  );
  await refreshProfile(cache);
}

/** Reloads everything that shows the name or the picture. */
async function refreshProfile(cache: QueryClient): Promise<void> {
  await Promise.all(
    [profileQuery.queryKey, headIconQuery.queryKey, memberQuery.queryKey].map((queryKey) =>
      cache.invalidateQueries({ queryKey }),
    ),
  );
}
