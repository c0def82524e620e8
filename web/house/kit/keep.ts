// What a frame keeps over a reload: the answer that opened its session, for the ticket works once, and which round was
// shown last, so that a result is neither lost nor told twice. Never anything that could place a stake.
import { localStore, sessionStore } from '../../src/lib/storage.ts';

const sessionKey = 'house.session';
const shownKey = (game: string): string => `house.shown.${game}`;

type Kept = { ticket: string; session: unknown };

export function keptSession(ticket: string): unknown {
  try {
    const kept = JSON.parse(sessionStore.get(sessionKey) ?? 'null') as Kept | null;
    return kept?.ticket === ticket ? kept.session : null;
  } catch {
    return null;
  }
}

export function keepSession(ticket: string, session: unknown): void {
  sessionStore.set(sessionKey, JSON.stringify({ ticket, session }));
}

export const forgetSession = (): void => sessionStore.remove(sessionKey);

export const shownRound = (game: string): string | null => localStore.get(shownKey(game));

export const keepShown = (game: string, round: string): void =>
  localStore.set(shownKey(game), round);
