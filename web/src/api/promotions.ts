import { queryOptions } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { client, value } from './client.ts';
import { viewerKey } from './member.ts';
import type { Reward } from './rewards.ts';
import type { components } from './schema.d.ts';
import { upload, type UploadOptions } from './upload.ts';

/** A promotion that runs now. Amounts are in the currency's unit. */
export type Promotion = components['schemas']['PromotionReply'];
export type PromotionCategory = Promotion['category'];

export const promotionsKey = [...viewerKey, 'promotions'] as const;

export const promotionsQuery = (language: Language) =>
  queryOptions({
    queryKey: [...promotionsKey, language],
    queryFn: (): Promise<Promotion[]> =>
      value(client.GET('/wps/promotion')).then(({ list }) => list ?? []),
  });

export function applyForPromotion(
  id: string,
  remark: string,
  pictures: readonly File[],
  options: UploadOptions,
): Promise<Reward> {
  const form = new FormData();
  form.append('remark', remark);
  for (const picture of pictures) form.append('image', picture);
  return upload<Reward>(`/wps/promotion/${id}/apply`, form, options);
}

/** Gets the reward of a code. */
export const redeemCode = (code: string, key: string): Promise<Reward> =>
  value(
    client.POST('/wps/promotion/code', {
      params: { header: { 'Idempotency-Key': key } },
      body: { code },
    }),
  );
