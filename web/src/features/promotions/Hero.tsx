import type { Promotion } from '../../api/promotions.ts';
import { artUrl } from '../../lib/art.ts';
import { cx } from '../../lib/cx.ts';
import { categoryArt, useCategoryNames } from './names.ts';

import styles from './PromotionsScreen.module.css';

type HeroProps = { promotion: Promotion; heading: 'h2' | 'h1'; large?: boolean };

/** The headline of a promotion on its colour. */
export function Hero({ promotion, heading: Heading, large }: HeroProps) {
  const names = useCategoryNames();
  const { category, title, image } = promotion;
  return (
    <div className={cx(styles.hero, large && styles.large)} data-category={category}>
      <div className={styles.heroWords}>
        <span className={styles.tag}>{names[category]}</span>
        <Heading dir="auto" className={styles.title}>
          {title}
        </Heading>
      </div>
      <img
        src={image || artUrl(`icons/${categoryArt[category]}.webp`)}
        alt=""
        width={88}
        height={88}
        className={styles.art}
      />
    </div>
  );
}
