import { queryOptions } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { completeAll } from '../lib/complete.ts';
import { localStore } from '../lib/storage.ts';
import { client, value } from './client.ts';

/** A topic of the help centre. Its articles have the same shape. */
export type HelpTopic = { code: string; title: string; content: string; children: HelpTopic[] };

type GivenTopic = Partial<Omit<HelpTopic, 'children'>> & {
  children?: readonly GivenTopic[] | null;
};

/** Maximum nesting. It is limited because the response may come from another server. */
const maxLevels = 2;

function readTopics(list: readonly GivenTopic[] | null, level = 1): HelpTopic[] {
  const blank = { code: '', title: '', content: '' };
  return completeAll<GivenTopic>(blank, list).map((topic) => ({
    ...(topic as HelpTopic),
    children: level < maxLevels ? readTopics(topic.children ?? [], level + 1) : [],
  }));
}

export const helpQuery = (language: Language) =>
  queryOptions({
    queryKey: ['system', 'help', language],
    queryFn: async () => readTopics(await value(client.GET('/wps/system/helpCenter'))),
    staleTime: 5 * 60_000,
  });

const visitorKey = 'helpVisitor';

/** Returns this browser's random key. The server counts one vote per key. */
function visitor(): string {
  const kept = localStore.get(visitorKey);
  if (kept && /^[\w-]{16,64}$/.test(kept)) return kept;
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  localStore.set(visitorKey, made);
  return made;
}

/** Sends whether an article helped. */
export async function voteHelp(code: string, helpful: boolean): Promise<void> {
  const body = { code, helpful, visitor: visitor() };
  await value(client.POST('/wps/system/helpCenter/vote', { body }));
  localStore.set(voteKey(code), helpful ? '1' : '0');
}

const voteKey = (code: string) => `helpVote.${code}`;

/** Returns this browser's vote about an article. */
export function ownVote(code: string): boolean | null {
  const kept = localStore.get(voteKey(code));
  return kept === null ? null : kept === '1';
}
