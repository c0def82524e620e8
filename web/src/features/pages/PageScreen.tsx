import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { pagePath, pageQuery, pagesQuery } from '../../api/pages.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { homePath, Link } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { SafeHtml } from '../../ui/display/SafeHtml.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './PageScreen.module.css';

/** One of the merchant's pages, with links to the others. */
export function PageScreen({ name }: { name: string }) {
  const { t } = useLingui();
  const language = useLanguage();
  const page = useQuery(pageQuery(language, name));
  const { data: pages = [] } = useQuery(pagesQuery(language));

  const { data, error } = page;
  if (!data && error && 'status' in error && (error.status === 404 || error.status === 400)) {
    return (
      <div className={styles.screen}>
        <Empty
          art={artUrl('spots/search.webp')}
          title={t`There is no such page`}
          actions={
            <Link to={homePath} className={buttonClass({ size: 'md' })}>
              {t`To home`}
            </Link>
          }
        />
        <OtherPages pages={pages} />
      </div>
    );
  }
  return (
    <div className={styles.screen}>
      <QueryView
        query={page}
        skeleton={
          <div className={styles.page}>
            <Skeleton width="60%" height={24} />
            {Array.from({ length: 6 }, (_, i) => (
              <Skeleton key={i} height={14} />
            ))}
          </div>
        }
      >
        {(loaded) => (
          <article className={styles.page}>
            <h2 className={styles.title}>{loaded.title}</h2>
            <SafeHtml key={loaded.name} html={loaded.content} />
          </article>
        )}
      </QueryView>
      <OtherPages pages={pages.filter((other) => other.name !== name)} />
    </div>
  );
}

function OtherPages({ pages }: { pages: readonly { name: string; title: string }[] }) {
  const { t } = useLingui();
  if (pages.length === 0) return null;
  return (
    <nav aria-label={t`Other pages`}>
      <ul className={styles.others}>
        {pages.map(({ name, title }) => (
          <li key={name}>
            <Link to={pagePath(name)} className={styles.other}>
              {title}
              <Icon name="caret-right" size={16} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
