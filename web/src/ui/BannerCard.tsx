import { useLingui } from '@lingui/react/macro';

import { bannerSet, bannerSizes } from '../lib/banner-art.ts';
import { cx } from '../lib/cx.ts';
import { Link } from '../lib/router.tsx';
import { Icon } from './Icon.tsx';

import styles from './BannerCard.module.css';

export type BannerCardProps = {
  title: string;
  /** The small line over the title. */
  tag?: string | undefined;
  /** The words on its button. */
  action?: string | undefined;
  /** Keeps the side free where lines begin. */
  image?: string | undefined;
  to: string;
  /** In sight from the beginning. */
  first: boolean;
};

/** Letters that fit on two lines where screens are narrow. */
const roomy = 30;

/** A picture with words on it that leads somewhere. */
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
          // The page has shown the first one already: it is there in the very same frame.
          decoding={first ? 'sync' : 'async'}
          loading={first ? 'eager' : 'lazy'}
          fetchPriority={first ? 'high' : 'auto'}
        />
      )}
      <span className={styles.words}>
        {tag && <span className={styles.tag}>{tag}</span>}
        <span className={cx(styles.title, title.length > roomy && styles.long)}>{title}</span>
        <span className={styles.action}>
          {action || t`See more`}
          <Icon name="caret-right-bold" size={12} />
        </span>
      </span>
    </Link>
  );
}
