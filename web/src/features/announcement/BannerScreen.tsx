import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { announcementQuery } from '../../api/notices.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { formatDay } from '../../lib/dates.ts';
import { homePath, Link, ownPath, usePath } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Poster } from '../../ui/display/Poster.tsx';
import { SafeHtml } from '../../ui/display/SafeHtml.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './BannerScreen.module.css';

export default function BannerScreen() {
  const { t } = useLingui();
  const language = useLanguage();
  const id = usePath().split('/')[3] ?? '';
  const isValidId = /^\d{1,19}$/.test(id);
  const { data, error, refetch } = useQuery({
    ...announcementQuery(language, id),
    enabled: isValidId,
  });

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
  if (!data) {
    return (
      <div className={styles.screen}>
        {error ? (
          <ErrorRetry
            onRetry={refetch}
            detail={describeError(error)}
            answered={wasAnswered(error)}
          />
        ) : (
          <>
            <Skeleton shape="box" height={152} className={styles.skeleton} />
            <Skeleton width="70%" height={24} />
            <Skeleton shape="box" height={120} />
          </>
        )}
      </div>
    );
  }
  const path = ownPath(data.url);
  return (
    <article className={styles.screen}>
      {data.image && (
        <div className={styles.picture}>
          <Poster image={data.image} />
        </div>
      )}
      <p className={styles.line}>
        {data.tag && <span className={styles.tag}>{data.tag}</span>}
        {data.startTime > 0 && (
          <time dateTime={new Date(data.startTime).toISOString()}>
            {formatDay(data.startTime, language)}
          </time>
        )}
      </p>
      <h2 className={styles.title}>{data.title}</h2>
      <SafeHtml html={data.content} />
      {path && (
        <Link to={path} className={buttonClass({ size: 'md', full: true })}>
          {data.cta || t`See more`}
        </Link>
      )}
    </article>
  );
}
