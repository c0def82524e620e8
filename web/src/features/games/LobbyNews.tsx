import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { bannerPath } from '../../api/content.ts';
import { newsQuery } from '../../api/news.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { Link } from '../../lib/router.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useSimilarGames } from './useSimilarGames.ts';

import styles from './LobbyNews.module.css';

/** As many as stand there without becoming a list of their own; the rest are on the notice screen. */
const shown = 3;

/**
 * What is new in the house, below the hot games. It is asked for when somebody comes near, and leaves no gap where there
 * is none.
 */
export function LobbyNews() {
  const { t } = useLingui();
  const [end, near] = useSimilarGames<HTMLDivElement>();
  const query = useQuery({ ...newsQuery(useLanguage()), enabled: near });
  const { data: news, error, refetch } = query;
  return (
    <div ref={end} className={styles.news}>
      {!news && error && (
        <ErrorRetry
          onRetry={refetch}
          detail={describeError(error)}
          answered={wasAnswered(error)}
          className={styles.failed}
        />
      )}
      {news && news.length > 0 && (
        <section aria-labelledby="lobby-news">
          <div className={styles.head}>
            <h2 id="lobby-news" className={styles.title}>{t`News`}</h2>
            <Link to="/m/notice" className={styles.more}>
              {t`More`}
              <Icon name="caret-right-bold" size={12} />
            </Link>
          </div>
          <ul className={styles.list}>
            {news.slice(0, shown).map((one) => (
              <li key={one.id}>
                <Link to={bannerPath(one)} className={styles.item}>
                  <Icon name="megaphone-fill" size={16} />
                  <span dir="auto">{one.title}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
