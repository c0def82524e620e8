// A ticket opens one session. For reloads, the page keeps the session in its history entry, because it shares its storage with the app.
import { lottery, setSession } from './api.ts';
import { loadFollowed } from './followed.ts';
import { setPlayer } from './player-store.ts';
import type { Session } from './wire.ts';

type Saved = { ticket: string; session: Session };

let opening: { ticket: string; session: Promise<Session> } | null = null;

/** Sends a ticket once, even if two callers open the session at the same time. */
function sendTicket(ticket: string): Promise<Session> {
  if (opening?.ticket === ticket) return opening.session;
  const session = lottery.openSession(ticket);
  opening = { ticket, session };
  session.catch(() => {
    opening = null;
  });
  return session;
}

export async function openSession(ticket: string): Promise<Session> {
  const saved = history.state as Partial<Saved> | null;
  const session =
    saved?.ticket === ticket && saved.session ? saved.session : await sendTicket(ticket);
  history.replaceState({ ticket, session } satisfies Saved, '');
  setSession(session.session);
  setPlayer(session.player);
  loadFollowed();
  return session;
}

export const forgetSession = (): void => history.replaceState(null, '');
