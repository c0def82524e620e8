import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { bannerPath } from '../../api/content.ts';
import { newsQuery } from '../../api/news.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { Link } from '../../lib/router.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useNearViewport } from './useNearViewport.ts';

import styles from './LobbyNews.module.css';

const maxShown = 3;

/** The lobby's news, fetched when the block comes near the viewport. Takes no space without news. */
export function LobbyNews() {
  const { t } = useLingui();
  const [root, isNearViewport] = useNearViewport<HTMLDivElement>();
  const query = useQuery({ ...newsQuery(useLanguage()), enabled: isNearViewport });
  return (
    <div ref={root} className={styles.news}>
      <QueryView
        query={query}
        errorClass={styles.failed}
        isEmpty={(news) => news.length === 0}
        empty={null}
      >
        {(news) => (
          <section aria-labelledby="lobby-news">
            <div className={styles.head}>
              <h2 id="lobby-news" className={styles.title}>{t`News`}</h2>
              <Link to="/m/notice" className={styles.more}>
                {t`More`}
                <Icon name="caret-right-bold" size={12} />
              </Link>
            </div>
            <ul className={styles.list}>
              {news.slice(0, maxShown).map((item) => (
                <li key={item.id}>
                  <Link to={bannerPath(item)} className={styles.item}>
                    <Icon name="megaphone-fill" size={16} />
                    <span dir="auto">{item.title}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        )}
      </QueryView>
    </div>
  );
}
