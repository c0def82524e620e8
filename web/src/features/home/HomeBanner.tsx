import { bannerPath, type Announcement } from '../../api/content.ts';
import { BannerCard } from '../../ui/BannerCard.tsx';

export function HomeBanner({ banner, first }: { banner: Announcement; first: boolean }) {
  return (
    <BannerCard
      title={banner.title}
      tag={banner.tag}
      action={banner.cta}
      image={banner.image}
      to={bannerPath(banner)}
      first={first}
    />
  );
}
