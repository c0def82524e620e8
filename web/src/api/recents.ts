import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { wireLanguage, type Language } from '../i18n/languages.ts';
import { localStore } from '../lib/storage.ts';
import { readGames, type Game } from './catalogue.ts';
import { client, value } from './client.ts';
import { memberKey } from './member.ts';
import { currentSession } from './session.ts';

const key = [...memberKey, 'recents'] as const;

/** The storage key of the last member with recent games on this device. */
const playedKey = 'played';

function rememberPlayed(): void {
  const name = currentSession()?.userName;
  if (name) localStore.set(playedKey, name);
}

/** Reports whether to reserve space for recent games before they load. */
export const expectsRecents = (): boolean =>
  localStore.get(playedKey) === currentSession()?.userName;

/** The member's recent games, newest first. */
export const recentGamesQuery = (language: Language) =>
  queryOptions({
    queryKey: [...key, language],
    queryFn: async ({ signal }): Promise<Game[]> => {
      const query = { language: wireLanguage(language) };
      const { list } = await value(
        client.GET('/wps/relay/GCS_recentGame', { params: { query }, signal }),
      );
      const games = readGames(list, language);
      if (games.length > 0) rememberPlayed();
      return games;
    },
    staleTime: 60_000,
  });

/** Records that a game was opened. It fails if the game no longer exists. */
export async function recordRecent(cache: QueryClient, nodeId: string): Promise<void> {
  await value(client.POST('/wps/relay/GCS_recentGame', { body: { nodeId } }));
  await refreshRecents(cache);
}

/** Reloads the list, because the server has recorded a game. */
export function refreshRecents(cache: QueryClient): Promise<void> {
  rememberPlayed();
  return cache.invalidateQueries({ queryKey: key });
}
