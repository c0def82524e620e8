import { queryOptions } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { memberKey } from './member.ts';
import type { components } from './schema.d.ts';

type Reply = components['schemas']['MessagePreferencesReply'];
export type Choice = components['schemas']['MessageChoiceReply'];
export type NotificationTopic = Choice['topic'];
export type NotificationWay = Choice['way'];

/** The member's choices of which notifications to get. */
export type Preferences = Omit<Reply, 'choices'> & { choices: readonly Choice[] };

export const notificationsKey = [...memberKey, 'notifications'] as const;

const complete = (reply: Reply): Preferences => ({ ...reply, choices: reply.choices ?? [] });

export const notificationsQuery = queryOptions({
  queryKey: notificationsKey,
  queryFn: async () => complete(await value(client.GET('/wps/member/notifications'))),
});

type Change = { topic: NotificationTopic; way: NotificationWay; allowed: boolean };

export const chooseNotifications = async (choices: Change[]): Promise<Preferences> =>
  complete(await value(client.PUT('/wps/member/notifications', { body: { choices } })));

/** Allows or refuses promotions on all channels at once. */
export const setPromotionConsent = (allowed: boolean): Promise<Preferences> =>
  chooseNotifications(
    (['inbox', 'push', 'email'] as const).map((way) => ({ topic: 'promotion', way, allowed })),
  );

export const subscribeToPush = (body: { endpoint: string; p256dh: string; auth: string }) =>
  value(client.POST('/wps/member/notifications/push', { body }));

export const unsubscribeFromPush = (endpoint: string) =>
  value(client.DELETE('/wps/member/notifications/push', { body: { endpoint } }));
