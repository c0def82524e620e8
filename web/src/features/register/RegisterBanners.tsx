import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { bannerPath } from '../../api/content.ts';
import { registerBannersQuery } from '../../api/notices.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { BannerCard } from '../../ui/BannerCard.tsx';
import { Carousel } from '../../ui/Carousel.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';

export default function RegisterBanners() {
  const { t } = useLingui();
  const {
    data: banners = [],
    error,
    isLoadingError,
    refetch,
  } = useQuery(registerBannersQuery(useLanguage()));
  if (isLoadingError) {
    return (
      <ErrorRetry onRetry={refetch} detail={describeError(error)} answered={wasAnswered(error)} />
    );
  }
  if (banners.length === 0) return null;
  return (
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
  );
}
