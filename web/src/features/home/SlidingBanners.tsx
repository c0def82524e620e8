import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import type { Announcement } from '../../api/content.ts';
import { liveBannersQuery } from '../../api/live-models.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { Carousel } from '../../ui/Carousel.tsx';
import { HomeBanner } from './HomeBanner.tsx';

import styles from './HomeBanners.module.css';

/** Home's banners, followed by the banners of live tables. */
export default function SlidingBanners({ banners }: { banners: readonly Announcement[] }) {
  const { t } = useLingui();
  const { data: live = [] } = useQuery(liveBannersQuery(useLanguage()));
  const all = [...banners, ...live];
  if (all.length === 0) return null;
  return (
    <Carousel
      label={t`Banners`}
      items={all}
      keyOf={(banner) => banner.id}
      renderItem={(banner, index) => <HomeBanner banner={banner} first={index === 0} />}
      className={styles.place}
    />
  );
}
