import { useQuery } from '@tanstack/react-query';

import { artUrl } from '../lib/art.ts';
import { useBlobAddress } from '../lib/blob-address.ts';
import { client, value } from './client.ts';
import { memberKey } from './member.ts';

/** Uploaded pictures have this prefix. The server sends them only to their owner, so an image needs a blob URL. */
const uploadPrefix = '/wps/member/headIcon/file/';

/** Returns the URL to show for an avatar. It is empty while the avatar loads, and the default fox if the member chose none. */
export function useAvatar(url = ''): string {
  const isUploaded = url.startsWith(uploadPrefix);
  const { data } = useQuery({
    queryKey: [...memberKey, 'picture', url],
    queryFn: () => fetchPicture(url.slice(uploadPrefix.length)),
    enabled: isUploaded,
    // A new picture gets a new URL.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const blobUrl = useBlobAddress(data);
  return isUploaded ? blobUrl : url || artUrl('avatars/fox.webp');
}

async function fetchPicture(name: string): Promise<Blob> {
  const response = client.GET('/wps/member/headIcon/file/{name}', {
    params: { path: { name } },
    parseAs: 'blob',
  });
  // The server sends pictures without the JSON envelope.
  return value(response.then((each) => ({ ...each, data: each.data && enveloped(each.data) })));
}

const enveloped = (picture: Blob) => ({ success: true, value: picture });
