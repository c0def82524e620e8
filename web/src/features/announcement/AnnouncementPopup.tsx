import { useLingui } from '@lingui/react/macro';
import { useState, type PointerEvent } from 'react';

import { bannerPath, type Announcement } from '../../api/content.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { formatDay } from '../../lib/dates.ts';
import { Link } from '../../lib/router.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { SafeHtml } from '../../ui/display/SafeHtml.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Poster } from './Poster.tsx';

import styles from './AnnouncementPopup.module.css';

export type AnnouncementPopupProps = {
  open: boolean;
  onClose: () => void;
  items: readonly Announcement[];
};

const swipePx = 48;

/** Announcements shown when the app opens, one page each. */
export default function AnnouncementPopup({ open, onClose, items }: AnnouncementPopupProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const [page, setPage] = useState(0);
  const [from, setFrom] = useState<number | null>(null);
  const item = items[Math.min(page, items.length - 1)];
  if (!item) return null;
  const hasSeveral = items.length > 1;
  const current = items.indexOf(item);
  const showPage = (next: number) => setPage(Math.max(0, Math.min(items.length - 1, next)));

  function endSwipe({ clientX }: PointerEvent): void {
    if (from === null) return;
    setFrom(null);
    const moved = (clientX - from) * (document.documentElement.dir === 'rtl' ? -1 : 1);
    if (Math.abs(moved) >= swipePx) showPage(current + (moved < 0 ? 1 : -1));
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={item.title}
      band={<Band item={item} />}
      foot={
        hasSeveral && (
          <div className={styles.pager}>
            <IconButton
              icon="caret-left"
              label={t`Previous`}
              variant="surface"
              disabled={current === 0}
              onPress={() => showPage(current - 1)}
              className={styles.arrow}
            />
            <div className={styles.where}>
              <span aria-hidden="true" className={styles.dots}>
                {items.map(({ id }, index) => (
                  <i key={id} className={styles.dot} data-on={index === current || undefined} />
                ))}
              </span>
              <bdi dir="ltr" aria-live="polite">
                {current + 1} / {items.length}
              </bdi>
            </div>
            <IconButton
              icon="caret-right"
              label={t`Next`}
              variant="surface"
              disabled={current === items.length - 1}
              onPress={() => showPage(current + 1)}
              className={styles.arrow}
            />
          </div>
        )
      }
    >
      <div
        className={styles.page}
        onPointerDown={({ clientX }) => setFrom(clientX)}
        onPointerUp={endSwipe}
        onPointerCancel={() => setFrom(null)}
      >
        {item.startTime > 0 && (
          <time dateTime={new Date(item.startTime).toISOString()} className={styles.day}>
            {formatDay(item.startTime, language)}
          </time>
        )}
        <SafeHtml key={item.id} html={item.content} />
        <Link to={bannerPath(item)} className={styles.more}>
          {item.cta || t`Read it all`}
          <Icon name="caret-right-bold" size={12} />
        </Link>
      </div>
    </Dialog>
  );
}

function Band({ item }: { item: Announcement }) {
  const { t } = useLingui();
  return (
    <div className={styles.band}>
      <Poster image={item.image} />
      <div className={styles.over}>
        {item.tag && <span className={styles.tag}>{item.tag}</span>}
        <span className={styles.kind}>{t`Announcement`}</span>
      </div>
    </div>
  );
}
