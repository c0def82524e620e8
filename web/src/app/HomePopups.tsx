import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { announcementsQuery, type Announcement } from '../api/content.ts';
import { groupOf, markClosed, popupsFor, wasClosed, type PopupGroup } from '../api/popups.ts';
import { useSession } from '../api/session.ts';
import { settingsQuery } from '../api/system.ts';
import { AnnouncementPopup } from '../features/home/AnnouncementPopup.tsx';
import { useLanguage } from '../i18n/runtime.ts';
import { isStandalone } from '../lib/standalone.ts';
import { loadSanitizer } from '../ui/display/SafeHtml.tsx';
import { lazyPopup } from '../ui/lazyPopup.tsx';
import { useToastStore } from '../ui/toastStore.ts';
import { withMessages } from './with-messages.ts';

const DownloadPopup = lazyPopup(() =>
  withMessages(import('../features/install/DownloadPopup.tsx'), 'install'),
);

const popupDelayMs = 500;

/** `shownAt` is performance.now() when home appeared. This code may load later. */
type HomePopupsProps = { shownAt: number };

type Shown = { group: PopupGroup; items: Announcement[] };

/** Shows the announcements, then the download offer. Each is shown once per tab. */
export default function HomePopups({ shownAt }: HomePopupsProps) {
  const session = useSession();
  const { data: settings } = useQuery(settingsQuery);
  const { data: list } = useQuery(announcementsQuery(useLanguage()));
  const isSanitizerReady = useSanitizer();
  const due = usePopupDelay(session?.token, shownAt) && isSanitizerReady;
  const [closed, setClosed] = useState<PopupGroup | 'download' | null>(null);
  // An open popup does not change when the announcements reload.
  const [shown, setShown] = useState<Shown | null>(null);
  const group = groupOf(session);
  // A popup would cover the toast and its button.
  const hasOffer = useToastStore(({ current }) => Boolean(current?.action));
  const isCurrent = shown?.group === group;

  if (due && list && !isCurrent && !hasOffer) {
    const items = wasClosed(group) ? [] : popupsFor(list, session);
    setShown({ group, items });
  }
  const showsAnnouncements =
    due && isCurrent && shown.items.length > 0 && closed !== group && !wasClosed(group);
  const showsDownload =
    due &&
    isCurrent &&
    !showsAnnouncements &&
    settings?.downloadPopup === true &&
    !isStandalone() &&
    !wasClosed('download');

  function close(which: PopupGroup | 'download'): void {
    markClosed(which);
    setClosed(which);
  }

  return (
    <>
      <AnnouncementPopup
        open={showsAnnouncements}
        onClose={() => close(group)}
        items={shown?.items ?? []}
      />
      <DownloadPopup open={showsDownload} onClose={() => close('download')} />
    </>
  );
}

/** Loads the HTML sanitizer first, because a popup would change its size if its text appeared later. */
function useSanitizer(): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => void loadSanitizer().then(() => setReady(true)), []);
  return isReady;
}

/** Reports whether the popup delay has passed for the current session. */
function usePopupDelay(token: string | undefined, shownAt: number): boolean {
  const [elapsedToken, setElapsedToken] = useState<string | undefined | null>(null);
  const start = useRef(shownAt);
  useEffect(() => {
    const left = Math.max(0, start.current + popupDelayMs - performance.now());
    const timer = setTimeout(setElapsedToken, left, token);
    return () => {
      clearTimeout(timer);
      start.current = performance.now();
    };
  }, [token]);
  return elapsedToken === token;
}
