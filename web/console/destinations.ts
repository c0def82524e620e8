import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

import type { IconName } from './icons.ts';

export type Group = 'start' | 'queues' | 'manage' | 'control';

export type Destination = {
  /** The path below /console. */
  path: string;
  /** Other paths that belong to it, such as those of its tabs. */
  otherPaths?: readonly string[];
  group: Group;
  label: MessageDescriptor;
  icon: IconName;
  /** The key that opens this screen when pressed after `g`. */
  key: string;
  /** Operators need at least one of these permissions. An empty list allows everyone. */
  permissions: readonly string[];
};

export const groupLabels: Record<Group, MessageDescriptor | null> = {
  start: null,
  queues: msg`Queues`,
  manage: msg`Manage`,
  control: msg`Control`,
};

/** The screens of the console. The navigation, the search and the keyboard shortcuts use this list. */
export const destinations: readonly Destination[] = [
  {
    path: '/',
    group: 'start',
    label: msg`Overview`,
    icon: 'overview',
    key: 'h',
    permissions: [],
  },
  {
    path: '/tasks',
    group: 'queues',
    label: msg`Tasks`,
    icon: 'empty',
    key: 'q',
    permissions: [],
  },
  {
    path: '/withdrawals',
    group: 'queues',
    label: msg`Withdrawals`,
    icon: 'withdrawals',
    key: 'w',
    permissions: ['withdrawal.review', 'withdrawal.approve'],
  },
  {
    path: '/deposits',
    group: 'queues',
    label: msg`Deposits`,
    icon: 'deposits',
    key: 'd',
    permissions: ['deposit.confirm'],
  },
  {
    path: '/kyc',
    group: 'queues',
    label: msg`Identity checks`,
    icon: 'kyc',
    key: 'k',
    permissions: ['kyc.review'],
  },
  {
    path: '/approvals',
    group: 'queues',
    label: msg`Approvals`,
    icon: 'approvals',
    key: 'a',
    permissions: [],
  },
  {
    path: '/chats',
    otherPaths: ['/replies'],
    group: 'queues',
    label: msg`Chats`,
    icon: 'chats',
    key: 'c',
    permissions: ['chat.answer'],
  },
  {
    path: '/feedback',
    group: 'queues',
    label: msg`Feedback`,
    icon: 'empty',
    key: 'f',
    permissions: ['message.send'],
  },
  {
    path: '/members',
    group: 'manage',
    label: msg`Members`,
    icon: 'members',
    key: 'm',
    permissions: ['member.read'],
  },
  {
    path: '/protection',
    group: 'manage',
    label: msg`Player protection`,
    icon: 'kyc',
    key: 'x',
    permissions: ['member.read'],
  },
  {
    path: '/rounds',
    group: 'manage',
    label: msg`Rounds`,
    icon: 'games',
    key: 'r',
    permissions: ['report.read'],
  },
  {
    path: '/promotions',
    otherPaths: ['/rewards', '/loyalty'],
    group: 'manage',
    label: msg`Promotions`,
    icon: 'promotions',
    key: 'p',
    permissions: ['promotion.edit'],
  },
  {
    path: '/messages',
    group: 'manage',
    label: msg`Messages`,
    icon: 'content',
    key: 'z',
    permissions: ['message.send'],
  },
  {
    path: '/announcements',
    otherPaths: ['/banners', '/popups', '/pages', '/help'],
    group: 'manage',
    label: msg`Content`,
    icon: 'content',
    key: 'n',
    permissions: ['content.edit'],
  },
  {
    path: '/streams',
    group: 'manage',
    label: msg`Live streams`,
    icon: 'streams',
    key: '1',
    permissions: ['content.edit'],
  },
  {
    path: '/games',
    group: 'manage',
    label: msg`Games`,
    icon: 'games',
    key: 'g',
    permissions: ['catalogue.edit'],
  },
  {
    path: '/methods',
    group: 'manage',
    label: msg`Payment methods`,
    icon: 'deposits',
    key: 'y',
    permissions: ['setting.edit'],
  },
  {
    path: '/gateways',
    group: 'manage',
    label: msg`Gateways`,
    icon: 'vendors',
    key: 'j',
    permissions: ['setting.edit'],
  },
  {
    path: '/vendors',
    group: 'manage',
    label: msg`Vendors`,
    icon: 'vendors',
    key: 'v',
    permissions: ['vendor.edit'],
  },
  {
    path: '/tables',
    otherPaths: ['/jackpots', '/fairness', '/stuck'],
    group: 'manage',
    label: msg`House`,
    icon: 'house',
    key: 'e',
    permissions: ['house.repair'],
  },
  {
    path: '/lottery',
    group: 'manage',
    label: msg`Lottery`,
    icon: 'lottery',
    key: 'l',
    permissions: ['lottery.result'],
  },
  {
    path: '/transfers',
    group: 'control',
    label: msg`Transfers`,
    icon: 'transfers',
    key: 't',
    permissions: ['report.read'],
  },
  {
    path: '/ledger',
    group: 'control',
    label: msg`Ledger check`,
    icon: 'approvals',
    key: 'b',
    permissions: ['report.read'],
  },
  {
    path: '/audit',
    group: 'control',
    label: msg`Audit log`,
    icon: 'audit',
    key: 'u',
    permissions: ['audit.read'],
  },
  {
    path: '/operators',
    group: 'control',
    label: msg`Operators`,
    icon: 'operators',
    key: 'o',
    permissions: ['operator.edit'],
  },
  {
    path: '/settings',
    group: 'control',
    label: msg`Settings`,
    icon: 'settings',
    key: 's',
    permissions: ['setting.edit'],
  },
  {
    path: '/health',
    group: 'control',
    label: msg`Health`,
    icon: 'error',
    key: 'i',
    permissions: ['report.read'],
  },
];

/** Returns the destinations that an operator with these permissions may open. */
export const allowedDestinations = (granted: readonly string[]): Destination[] =>
  destinations.filter(
    ({ permissions }) =>
      permissions.length === 0 || permissions.some((permission) => granted.includes(permission)),
  );

/** Returns the destination that contains a path, such as `/members` for `/members/17`. */
export const destinationOf = (path: string): Destination | undefined =>
  destinations.find((destination) =>
    destination.path === '/'
      ? path === '/'
      : [destination.path, ...(destination.otherPaths ?? [])].some(
          (own) => path === own || path.startsWith(`${own}/`),
        ),
  );
