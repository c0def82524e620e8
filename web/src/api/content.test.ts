// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import { announcement, settings } from '../lib/testing/fixtures.ts';
import { announcementsQuery, bannerPath, type Announcement } from './content.ts';
import { liveBannersQuery } from './live-models.ts';
import { noticesQuery, registerBannersQuery } from './notices.ts';

const list = '/wps/relay/MCSFE_getListAnnouncements';

test.each([
  ['home', announcementsQuery('vi'), 'types=B%2CPL%2CPU&groupName=m_home'],
  ['registration', registerBannersQuery('vi'), 'types=B&groupName=m_reg'],
  ['the live tables', liveBannersQuery('vi'), 'types=B&groupName=m_live'],
  ['the notices', noticesQuery('vi', null), 'types=PL'],
])('CA-13 %s requests its announcements with every parameter', async (_, query, wanted) => {
  const requests = answerWith({
    'GET /wps/system/settings/consolidated': settings,
    'GET /wps/relay/LIVE_getModelList': [{ id: 'a' }],
    [`GET ${list}`]: [],
  });
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await cache.fetchQuery<Announcement[]>(query as never);
  const calls = requests.map(({ url }) => new URL(url)).filter(({ pathname }) => pathname === list);
  expect(calls.map(({ search }) => search)).toEqual([
    `?${wanted}&platform=M&merchantCode=fairground`,
  ]);
});

test.each([
  ['/m/activity', '/m/activity'],
  ['', '/m/banner/7'],
  ['https://elsewhere.example/', '/m/banner/7'],
])('a banner with the URL %j leads to %s', (url, path) => {
  expect(bannerPath(announcement(7, { url }) as Announcement)).toBe(path);
});
