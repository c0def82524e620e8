// Data that survives a reload: the session, because a ticket works once, and the last shown round. Neither can place a stake.
// The session is kept in the frame's history entry, because the app shares the frame's localStorage.
import { localStore } from '../../src/lib/storage.ts';

const shownKey = (game: string): string => `house.shown.${game}`;

type Saved = { ticket: string; session: unknown };

export function savedSession(ticket: string): unknown {
  const saved = history.state as Partial<Saved> | null;
  return saved?.ticket === ticket ? (saved.session ?? null) : null;
}

export function saveSession(ticket: string, session: unknown): void {
  history.replaceState({ ticket, session } satisfies Saved, '');
}

export const clearSession = (): void => history.replaceState(null, '');

export const lastShownRound = (game: string): string | null => localStore.get(shownKey(game));

export const saveShownRound = (game: string, round: string): void =>
  localStore.set(shownKey(game), round);
