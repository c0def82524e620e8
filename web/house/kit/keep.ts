// What a frame keeps over a reload: the answer that opened its session, for the ticket works once, and which round was
// shown last, so that a result is neither lost nor told twice. Never anything that could place a stake. The session stays
// with the frame's own place in the history: the app around it has the same storage, and no business with it.
import { localStore } from '../../src/lib/storage.ts';

const shownKey = (game: string): string => `house.shown.${game}`;

type Kept = { ticket: string; session: unknown };

export function keptSession(ticket: string): unknown {
  const kept = history.state as Partial<Kept> | null;
  return kept?.ticket === ticket ? (kept.session ?? null) : null;
}

export function keepSession(ticket: string, session: unknown): void {
  history.replaceState({ ticket, session } satisfies Kept, '');
}

export const forgetSession = (): void => history.replaceState(null, '');

export const shownRound = (game: string): string | null => localStore.get(shownKey(game));

export const keepShown = (game: string, round: string): void =>
  localStore.set(shownKey(game), round);
