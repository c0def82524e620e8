import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { wireLanguage, type Language } from '../i18n/languages.ts';
import { localStore } from '../lib/storage.ts';
import { readGames, type Game } from './catalogue.ts';
import { client, value } from './client.ts';
import { ownKey } from './member.ts';
import { currentSession } from './session.ts';

const key = [...ownKey, 'recents'] as const;

/** Who was seen here with games that were played. */
const playedKey = 'played';

function notePlayed(): void {
  const name = currentSession()?.userName;
  if (name) localStore.set(playedKey, name);
}

/** Whether the member's games are worth a place on the screen before they are here. */
export const expectsRecents = (): boolean =>
  localStore.get(playedKey) === currentSession()?.userName;

/** What the member has played lately, newest first. */
export const recentGamesQuery = (language: Language) =>
  queryOptions({
    queryKey: [...key, language],
    queryFn: async ({ signal }): Promise<Game[]> => {
      const query = { language: wireLanguage(language) };
      const { list } = await value(
        client.GET('/wps/relay/GCS_recentGame', { params: { query }, signal }),
      );
      const games = readGames(list, language);
      if (games.length > 0) notePlayed();
      return games;
    },
    staleTime: 60_000,
  });

/** Notes that a game was started. It fails where the game is gone. */
export async function recordRecent(cache: QueryClient, nodeId: string): Promise<void> {
  await value(client.POST('/wps/relay/GCS_recentGame', { body: { nodeId } }));
  await forgetRecents(cache);
}

/** The server has noted a game of its own accord: whoever looks next gets the list anew. */
export function forgetRecents(cache: QueryClient): Promise<void> {
  notePlayed();
  return cache.invalidateQueries({ queryKey: key });
}
