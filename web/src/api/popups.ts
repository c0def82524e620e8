import { sessionStore } from '../lib/storage.ts';
import { popup } from './content-types.gen.ts';
import type { Announcement } from './content.ts';
import type { Session } from './session.ts';

/** Popups with a session, and those without one: each is shown once in a tab's life. */
export type PopupGroup = 'A' | 'B';

export const groupOf = (session: Session | null): PopupGroup => (session ? 'A' : 'B');

/** What pops up for whoever is here: F only right after the very first login. */
export function popupsFor(list: readonly Announcement[], session: Session | null): Announcement[] {
  const wanted = session ? (session.firstTimeLogin ? 'AF' : 'A') : 'B';
  return list.filter(
    ({ type, execution }) => type === popup && execution !== '' && wanted.includes(execution),
  );
}

const key = (group: string) => `announcementPopup.${group}`;

/** Whether a group was closed in this tab before. What cannot be read was never stored by this app. */
export function wasClosed(group: PopupGroup | 'download'): boolean {
  try {
    return (JSON.parse(sessionStore.get(key(group)) ?? '{}') as { show?: unknown }).show === false;
  } catch {
    return false;
  }
}

export function keepClosed(group: PopupGroup | 'download'): void {
  sessionStore.set(key(group), JSON.stringify({ show: false }));
}
