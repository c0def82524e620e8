import { useQuery } from '@tanstack/react-query';

import { artUrl } from '../lib/art.ts';
import { useBlobAddress } from '../lib/blob-address.ts';
import { client, value } from './client.ts';
import { ownKey } from './member.ts';

/** Pictures below this path were uploaded, and are given to their owner only. */
const uploaded = '/wps/member/headIcon/file/';

/** What an image can show as the picture at an address: nothing until it is there, and a fox where none was chosen. */
export function useAvatar(address = ''): string {
  const own = address.startsWith(uploaded);
  const { data } = useQuery({
    queryKey: [...ownKey, 'picture', address],
    queryFn: () => fetchPicture(address.slice(uploaded.length)),
    enabled: own,
    // Another picture has another address.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const shown = useBlobAddress(data);
  return own ? shown : address || artUrl('avatars/fox.webp');
}

async function fetchPicture(name: string): Promise<Blob> {
  const answer = client.GET('/wps/member/headIcon/file/{name}', {
    params: { path: { name } },
    parseAs: 'blob',
  });
  // The picture comes as it is, without the envelope of other answers.
  return value(answer.then((each) => ({ ...each, data: each.data && enveloped(each.data) })));
}

const enveloped = (picture: Blob) => ({ success: true, value: picture });
