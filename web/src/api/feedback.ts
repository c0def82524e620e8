import { infiniteQueryOptions } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { memberKey } from './member.ts';
import type { components } from './schema.d.ts';
import { upload, type UploadOptions } from './upload.ts';

/** A member's message to the operator, and the reply. */
export type Feedback = components['schemas']['FeedbackReply'];
export type FeedbackCategory = Feedback['category'];

export const feedbackKey = [...memberKey, 'feedback'] as const;

export const feedbackQuery = infiniteQueryOptions({
  queryKey: feedbackKey,
  queryFn: async ({ pageParam }) => {
    const { list, next } = await value(
      client.GET('/wps/member/feedback', {
        params: { query: pageParam ? { cursor: pageParam } : {} },
      }),
    );
    return { list: list ?? [], next };
  },
  initialPageParam: '',
  getNextPageParam: ({ next }) => next || undefined,
});

export function sendFeedback(
  { category, content }: { category: string; content: string },
  pictures: readonly File[],
  options: UploadOptions,
): Promise<Feedback> {
  const form = new FormData();
  form.append('category', category);
  form.append('content', content);
  for (const picture of pictures) form.append('image', picture);
  return upload<Feedback>('/wps/member/feedback', form, options);
}
