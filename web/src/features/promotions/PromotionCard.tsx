import { useLingui } from '@lingui/react/macro';

import type { Promotion } from '../../api/promotions.ts';
import { Link } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Hero } from './Hero.tsx';
import { detailPath } from './names.ts';
import { useKeyTerms } from './terms.tsx';

import styles from './PromotionsScreen.module.css';

const shownTerms = 3;

/** A promotion in the list, with its main terms below the headline. */
export function PromotionCard({ promotion }: { promotion: Promotion }) {
  const { t } = useLingui();
  const terms = useKeyTerms(promotion);
  const labels: Record<Promotion['state'], string> = {
    open: t`View`,
    applied: t`Being checked`,
    granted: t`Granted`,
    refused: t`Not approved`,
    closed: t`Closed`,
  };
  return (
    <article className={styles.card}>
      <Hero promotion={promotion} heading="h2" />
      <div className={styles.strip}>
        <dl className={styles.terms}>
          {terms.slice(0, shownTerms).map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <Link
          to={detailPath(promotion.id)}
          aria-label={t`${promotion.title}: ${labels[promotion.state]}`}
          className={buttonClass({ variant: 'secondary', size: 'sm' })}
        >
          {labels[promotion.state]}
        </Link>
      </div>
    </article>
  );
}
