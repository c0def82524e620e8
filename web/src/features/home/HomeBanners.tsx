import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';

import { announcementsQuery, bannersOf, type Announcement } from '../../api/content.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { HomeBanner } from './HomeBanner.tsx';

import styles from './HomeBanners.module.css';

/** Loaded after the first banner is visible. */
const Sliding = lazy(loadSliding);

/** Falls back to the first banner, so that a failed import does not break home. */
function loadSliding(): Promise<{ default: typeof FirstBanner }> {
  return import('./SlidingBanners.tsx').catch(() => ({ default: FirstBanner }));
}

/** Home's banners. Space is reserved while they load. A retry also reloads the notices, which share the request. */
export function HomeBanners({ sliding }: { sliding: boolean }) {
  const { data, error, isPending, refetch } = useQuery(announcementsQuery(useLanguage()));
  if (!data && error) {
    return (
      <div className={styles.place}>
        <ErrorRetry onRetry={refetch} detail={describeError(error)} answered={wasAnswered(error)} />
      </div>
    );
  }
  if (isPending) {
    return (
      <div className={styles.place}>
        <Skeleton shape="box" height="100%" className={styles.skeleton} />
      </div>
    );
  }
  const banners = bannersOf(data ?? []);
  const firstBanner = <FirstBanner banners={banners} />;
  if (!sliding) return firstBanner;
  return (
    <Suspense fallback={firstBanner}>
      <Sliding banners={banners} />
    </Suspense>
  );
}

function FirstBanner({ banners: [banner] }: { banners: readonly Announcement[] }) {
  if (!banner) return null;
  return (
    <div className={styles.place}>
      <HomeBanner banner={banner} first />
    </div>
  );
}
