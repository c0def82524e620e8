import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import type { Announcement } from '../../api/content.ts';
import { announcementQuery } from '../../api/notices.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { formatDay } from '../../lib/dates.ts';
import { homePath, Link, ownPath, usePath } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Poster } from '../../ui/display/Poster.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { SafeHtml } from '../../ui/display/SafeHtml.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './BannerScreen.module.css';

export default function BannerScreen() {
  const { t } = useLingui();
  const language = useLanguage();
  const id = usePath().split('/')[3] ?? '';
  const isValidId = /^\d{1,19}$/.test(id);
  const query = useQuery({
    ...announcementQuery(language, id),
    enabled: isValidId,
  });
  const { data, error } = query;

  if (!isValidId || (!data && error && 'status' in error && error.status === 404)) {
    return (
      <Empty
        art={artUrl('spots/empty.webp')}
        icon="megaphone-fill"
        title={t`No longer announced`}
        text={t`This announcement has ended or was taken back.`}
        actions={
          <>
            <Link to="/m/notice" className={buttonClass({ size: 'md' })}>
              {t`All announcements`}
            </Link>
            <Link to={homePath} className={buttonClass({ variant: 'secondary', size: 'md' })}>
              {t`To home`}
            </Link>
          </>
        }
      />
    );
  }
  return (
    <div className={styles.screen}>
      <QueryView
        query={query}
        skeleton={
          <div className={styles.article}>
            <Skeleton shape="box" height={152} className={styles.skeleton} />
            <Skeleton width="70%" height={24} />
            <Skeleton shape="box" height={120} />
          </div>
        }
      >
        {(announcement) => <Article announcement={announcement} />}
      </QueryView>
    </div>
  );
}

function Article({ announcement }: { announcement: Announcement }) {
  const { t } = useLingui();
  const language = useLanguage();
  const { url, image, tag, startTime, title, content, cta } = announcement;
  const path = ownPath(url);
  return (
    <article className={styles.article}>
      {image && (
        <div className={styles.picture}>
          <Poster image={image} />
        </div>
      )}
      <p className={styles.line}>
        {tag && <span className={styles.tag}>{tag}</span>}
        {startTime > 0 && (
          <time dateTime={new Date(startTime).toISOString()}>{formatDay(startTime, language)}</time>
        )}
      </p>
      <h2 className={styles.title}>{title}</h2>
      <SafeHtml html={content} />
      {path && (
        <Link to={path} className={buttonClass({ size: 'md', full: true })}>
          {cta || t`See more`}
        </Link>
      )}
    </article>
  );
}
