import { queryOptions } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { memberKey } from './member.ts';
import type { components } from './schema.d.ts';
import { upload, type UploadOptions } from './upload.ts';

/** The member's identity check. */
export type Kyc = components['schemas']['KycReply'];

export type KycDetails = { name: string; birthDate: string; documentNumber: string };

export const kycKey = [...memberKey, 'kyc'] as const;

export const kycQuery = queryOptions({
  queryKey: kycKey,
  queryFn: (): Promise<Kyc> => value(client.GET('/wps/member/kyc')),
});

export function sendKyc(
  details: KycDetails,
  pictures: readonly File[],
  options: UploadOptions,
): Promise<Kyc> {
  const form = new FormData();
  for (const [name, text] of Object.entries(details)) form.append(name, text);
  for (const picture of pictures) form.append('image', picture);
  return upload<Kyc>('/wps/member/kyc', form, options);
}
