import { queryOptions } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { completeAll } from '../lib/complete.ts';
import { client, value } from './client.ts';

/** A text page of the merchant. */
export const pageQuery = (language: Language, name: string) =>
  queryOptions({
    queryKey: ['system', 'page', language, name],
    queryFn: () => value(client.GET('/wps/system/page/{name}', { params: { path: { name } } })),
    staleTime: 5 * 60_000,
  });

export const pagesQuery = (language: Language) =>
  queryOptions({
    queryKey: ['system', 'pages', language],
    queryFn: async () => completeAll({ title: '' }, await value(client.GET('/wps/system/pages'))),
    staleTime: 5 * 60_000,
  });

export const agreement = 'userAgreement';

export const pagePath = (name: string): string =>
  name === agreement ? '/m/userAgreement' : `/m/policy/${name}`;
