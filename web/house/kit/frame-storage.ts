// Data that survives a reload: the session (because a ticket works once), the last shown round, and the chosen stake. None of it can
// place a stake.
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

const stakeKey = (game: string, currency: string): string => `house.stake.${game}.${currency}`;

/** Returns the stake or chip that the player chose last in a game, if the game still offers it. */
export function chosenStake(
  game: string,
  currency: string,
  offered: readonly number[],
): number | null {
  const saved = Number(localStore.get(stakeKey(game, currency)));
  return offered.includes(saved) ? saved : null;
}

export const saveChosenStake = (game: string, currency: string, amount: number): void =>
  localStore.set(stakeKey(game, currency), String(amount));

const spotsKey = (game: string, currency: string): string => `house.spots.${game}.${currency}`;

const isAmount = (entry: [string, unknown]): entry is [string, number] =>
  typeof entry[1] === 'number';

/** Returns the stakes by spot that were confirmed last. The caller checks them against the table. */
export function savedSpots(game: string, currency: string): Readonly<Record<string, number>> {
  try {
    const saved: unknown = JSON.parse(localStore.get(spotsKey(game, currency)) ?? '{}');
    if (!saved || typeof saved !== 'object') return {};
    return Object.fromEntries(Object.entries(saved).filter(isAmount));
  } catch {
    return {};
  }
}

export const saveSpots = (
  game: string,
  currency: string,
  spots: Readonly<Record<string, number>>,
): void => localStore.set(spotsKey(game, currency), JSON.stringify(spots));
