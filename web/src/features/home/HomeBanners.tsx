import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';

import { announcementsQuery, bannersOf, type Announcement } from '../../api/content.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { HomeBanner } from './HomeBanner.tsx';

import styles from './HomeBanners.module.css';

/** What makes them slide comes after the first one has been seen. */
const Sliding = lazy(loadSliding);

/** Where it cannot be had the first banner stands alone, and home is not lost with it. */
function loadSliding(): Promise<{ default: typeof Still }> {
  return import('./SlidingBanners.tsx').catch(() => ({ default: Still }));
}

/**
 * The banners of home. Their place is kept while they load, and given up where there are none. Until they may
 * slide the first one stands there. The notices above come by the same call: whoever tries again here gets them too.
 */
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
  const still = <Still banners={banners} />;
  if (!sliding) return still;
  return (
    <Suspense fallback={still}>
      <Sliding banners={banners} />
    </Suspense>
  );
}

function Still({ banners: [banner] }: { banners: readonly Announcement[] }) {
  if (!banner) return null;
  return (
    <div className={styles.place}>
      <HomeBanner banner={banner} first />
    </div>
  );
}
