import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, type ComponentType } from 'react';

import { announcementsQuery, bannersOf, type Announcement } from '../../api/content.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { Link, ownPath } from '../../lib/router.tsx';
import type { CarouselProps } from '../../ui/Carousel.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './HomeBanners.module.css';

/** What makes them slide comes after the first one has been seen. */
const Carousel = lazy(loadCarousel);

/** Where it cannot be had the first banner stands alone, and home is not lost with it. */
async function loadCarousel(): Promise<{ default: ComponentType<CarouselProps<Announcement>> }> {
  try {
    const module = await import('../../ui/Carousel.tsx');
    return { default: module.Carousel<Announcement> };
  } catch {
    return { default: ({ items }) => <Still banner={items[0]!} /> };
  }
}

/**
 * The banners of home. Their place is kept while they load, and given up where there are none. Until they may
 * slide the first one stands there.
 */
export function HomeBanners({ sliding }: { sliding: boolean }) {
  const { t } = useLingui();
  const { data, isPending } = useQuery(announcementsQuery(useLanguage()));
  if (isPending) {
    return (
      <div className={styles.place}>
        <Skeleton shape="box" height="100%" className={styles.skeleton} />
      </div>
    );
  }
  const banners = bannersOf(data ?? []);
  if (banners.length === 0) return null;
  const still = <Still banner={banners[0]!} />;
  if (!sliding) return still;
  return (
    <Suspense fallback={still}>
      <Carousel
        label={t`Banners`}
        items={banners}
        keyOf={(banner) => banner.id}
        renderItem={(banner, index) => <Banner banner={banner} first={index === 0} />}
        className={styles.place}
      />
    </Suspense>
  );
}

function Still({ banner }: { banner: Announcement }) {
  return (
    <div className={styles.place}>
      <Banner banner={banner} first />
    </div>
  );
}

function Banner({ banner, first }: { banner: Announcement; first: boolean }) {
  const { t } = useLingui();
  return (
    <Link
      to={ownPath(banner.url) ?? `/m/banner/${banner.id}`}
      className={styles.banner}
      draggable={false}
    >
      {banner.image && (
        <img
          src={banner.image}
          width={1080}
          height={464}
          alt=""
          className={styles.art}
          draggable={false}
          // The page has shown the first one already: it is there in the very same frame.
          decoding={first ? 'sync' : 'async'}
          loading={first ? 'eager' : 'lazy'}
          fetchPriority={first ? 'high' : 'auto'}
        />
      )}
      <span className={styles.words}>
        {banner.tag && <span className={styles.tag}>{banner.tag}</span>}
        <span className={styles.title}>{banner.title}</span>
        <span className={styles.action}>
          {banner.cta || t`See more`}
          <Icon name="caret-right-bold" size={12} />
        </span>
      </span>
    </Link>
  );
}
