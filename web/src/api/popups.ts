import { sessionStore } from '../lib/storage.ts';
import { popup } from './content-types.gen.ts';
import type { Announcement } from './content.ts';
import type { Session } from './session.ts';

/** Popups of group A are for members, those of group B for visitors. Each group is shown once per tab. */
export type PopupGroup = 'A' | 'B';

export const groupOf = (session: Session | null): PopupGroup => (session ? 'A' : 'B');

/** Returns the popups to show. F is only for the first login of a member. */
export function popupsFor(list: readonly Announcement[], session: Session | null): Announcement[] {
  const groups = session ? (session.firstTimeLogin ? 'AF' : 'A') : 'B';
  return list.filter(
    ({ type, execution }) => type === popup && execution !== '' && groups.includes(execution),
  );
}

const key = (group: string) => `announcementPopup.${group}`;

/** Reports whether a group was closed in this tab. An unreadable value counts as not closed. */
export function wasClosed(group: PopupGroup | 'download'): boolean {
  try {
    return (JSON.parse(sessionStore.get(key(group)) ?? '{}') as { show?: unknown }).show === false;
  } catch {
    return false;
  }
}

export function markClosed(group: PopupGroup | 'download'): void {
  sessionStore.set(key(group), JSON.stringify({ show: false }));
}
