import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { announcementsQuery, type Announcement } from '../api/content.ts';
import { groupOf, keepClosed, popupsFor, wasClosed, type PopupGroup } from '../api/popups.ts';
import { useSession } from '../api/session.ts';
import { settingsQuery } from '../api/system.ts';
import { useLanguage } from '../i18n/runtime.ts';
import { isStandalone } from '../lib/standalone.ts';
import { lazyPopup } from '../ui/lazyPopup.tsx';
import { DownloadBar } from './DownloadBar.tsx';
import { markMoving } from './scrolling.ts';
import { ServiceButton } from './ServiceButton.tsx';
import { withMessages } from './with-messages.ts';

import styles from './HomeExtras.module.css';

const AnnouncementPopup = lazyPopup(async () => {
  // With the text's cleaner, because a box that opens before its text would grow and move.
  const [popup] = await Promise.all([
    withMessages(import('../features/announcement/AnnouncementPopup.tsx'), 'announcement'),
    import('../ui/display/SafeHtml.tsx').then(({ loadSanitizer }) => loadSanitizer()),
  ]);
  return popup;
});
const DownloadPopup = lazyPopup(() =>
  withMessages(import('../features/install/DownloadPopup.tsx'), 'install'),
);

/** Popups wait this long after home has come up. */
const delay = 500;

/** When home came up, by the page's clock: this code may come later. */
type HomeExtrasProps = { since: number };

/** What floats over home, out of the way while the page moves, and what pops up. */
export default function HomeExtras({ since }: HomeExtrasProps) {
  return (
    <>
      <section ref={markMoving} className={styles.floats}>
        <ServiceButton />
        <DownloadBar />
      </section>
      <Popups since={since} />
    </>
  );
}

type Shown = { group: PopupGroup; items: Announcement[] };

/** First what is announced to whoever is here, then the app; each once in a tab's life. */
function Popups({ since }: HomeExtrasProps) {
  const session = useSession();
  const { data: settings } = useQuery(settingsQuery);
  const { data: list } = useQuery(announcementsQuery(useLanguage()));
  const due = useDelay(session?.token, since);
  const [closed, setClosed] = useState<PopupGroup | 'download' | null>(null);
  // What is on the screen stays as it is until it is closed, whatever is announced meanwhile.
  const [shown, setShown] = useState<Shown | null>(null);
  const group = groupOf(session);
  const fits = shown?.group === group;

  if (due && list && !fits) {
    const items = wasClosed(group) ? [] : popupsFor(list, session);
    setShown({ group, items });
  }
  const announced = due && fits && shown.items.length > 0 && closed !== group && !wasClosed(group);
  const offered =
    due &&
    fits &&
    !announced &&
    settings?.downloadPopup === true &&
    !isStandalone() &&
    !wasClosed('download');

  function close(which: PopupGroup | 'download'): void {
    keepClosed(which);
    setClosed(which);
  }

  return (
    <>
      <AnnouncementPopup open={announced} onClose={() => close(group)} items={shown?.items ?? []} />
      <DownloadPopup open={offered} onClose={() => close('download')} />
    </>
  );
}

/** Whether home has been up for long enough, for whoever is here now. */
function useDelay(token: string | undefined, since: number): boolean {
  const [past, setPast] = useState<string | undefined | null>(null);
  const start = useRef(since);
  useEffect(() => {
    const left = Math.max(0, start.current + delay - performance.now());
    const timer = setTimeout(setPast, left, token);
    return () => {
      clearTimeout(timer);
      start.current = performance.now();
    };
  }, [token]);
  return past === token;
}
