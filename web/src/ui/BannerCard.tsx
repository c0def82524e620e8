import { useLingui } from '@lingui/react/macro';

import { bannerSet, bannerSizes } from '../lib/banner-art.ts';
import { cx } from '../lib/cx.ts';
import { Link } from '../lib/router.tsx';
import { Icon } from './Icon.tsx';

import styles from './BannerCard.module.css';

export type BannerCardProps = {
  title: string;
  tag?: string | undefined;
  action?: string | undefined;
  /** A picture whose start side is free for text. */
  image?: string | undefined;
  to: string;
  /** The slide that is visible first. */
  first: boolean;
};

/** Longer titles need three lines on narrow screens. */
const maxTwoLineLength = 30;

export function BannerCard({ title, tag, action, image, to, first }: BannerCardProps) {
  const { t } = useLingui();
  return (
    <Link to={to} className={styles.banner} draggable={false}>
      {image && (
        <img
          sizes={bannerSizes}
          srcSet={bannerSet(image)}
          src={image}
          width={1080}
          height={464}
          alt=""
          className={styles.art}
          draggable={false}
          // The HTML shell has already drawn the first banner, so it must appear in the same frame.
          decoding={first ? 'sync' : 'async'}
          loading={first ? 'eager' : 'lazy'}
          fetchPriority={first ? 'high' : 'auto'}
        />
      )}
      <span className={styles.words}>
        {tag && <span className={styles.tag}>{tag}</span>}
        <span className={cx(styles.title, title.length > maxTwoLineLength && styles.long)}>
          {title}
        </span>
        <span className={styles.action}>
          {action || t`See more`}
          <Icon name="caret-right-bold" size={12} />
        </span>
      </span>
    </Link>
  );
}
