import { useLingui } from '@lingui/react/macro';
import { useId, useState, type PointerEvent } from 'react';

import { bannerPath, type Announcement } from '../../api/content.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { formatDay } from '../../lib/dates.ts';
import { Link } from '../../lib/router.tsx';
import { Poster } from '../../ui/display/Poster.tsx';
import { SafeHtml } from '../../ui/display/SafeHtml.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { useModal } from '../../ui/useModal.ts';

import styles from './AnnouncementPopup.module.css';

type AnnouncementPopupProps = {
  open: boolean;
  onClose: () => void;
  items: readonly Announcement[];
};

const swipePx = 48;

/** Announcements shown when the app opens, one page each. A native dialog, because the dialogs of the design system load more code. */
export function AnnouncementPopup({ open, onClose, items }: AnnouncementPopupProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const titleId = useId();
  const modal = useModal(open, onClose);
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
    <dialog {...modal} aria-labelledby={titleId} className={styles.popup}>
      <div className={styles.content}>
        <Band item={item} />
        <IconButton
          icon="x"
          iconSize={22}
          label={t`Close`}
          variant="art"
          onPress={onClose}
          className={styles.close}
        />
        <div
          className={styles.page}
          onPointerDown={({ clientX }) => setFrom(clientX)}
          onPointerUp={endSwipe}
          onPointerCancel={() => setFrom(null)}
        >
          <h2 id={titleId} className={styles.title}>
            {item.title}
          </h2>
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
        {hasSeveral && (
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
        )}
      </div>
    </dialog>
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
