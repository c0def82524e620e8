import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { bannerPath } from '../../api/content.ts';
import { registerBannersQuery } from '../../api/notices.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { BannerCard } from '../../ui/BannerCard.tsx';
import { Carousel } from '../../ui/Carousel.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';

export default function RegisterBanners() {
  const { t } = useLingui();
  const query = useQuery(registerBannersQuery(useLanguage()));
  return (
    <QueryView query={query} isEmpty={(banners) => banners.length === 0} empty={null}>
      {(banners) => (
        <Carousel
          label={t`Banners`}
          items={banners}
          keyOf={(banner) => banner.id}
          renderItem={(banner) => (
            <BannerCard
              title={banner.title}
              tag={banner.tag}
              action={banner.cta}
              image={banner.image}
              to={bannerPath(banner)}
              first={false}
            />
          )}
        />
      )}
    </QueryView>
  );
}
