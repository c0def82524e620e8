import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { jackpotQuery } from '../../api/jackpot.ts';
import { pageQuery } from '../../api/pages.ts';
import { useLoggedIn } from '../../api/session.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { Link } from '../../lib/router.tsx';
import { SafeHtml } from '../../ui/display/SafeHtml.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { OwnDraws } from './OwnDraws.tsx';
import { PoolCard } from './PoolCard.tsx';
import { SimulatedCard } from './SimulatedCard.tsx';

import styles from './JackpotScreen.module.css';

export default function JackpotScreen() {
  const { t } = useLingui();
  const { data: jackpot, error, refetch } = useQuery(jackpotQuery);
  const loggedIn = useLoggedIn();
  return (
    <div className={styles.screen}>
      {jackpot ? (
        jackpot.simulated ? (
          <SimulatedCard jackpot={jackpot} />
        ) : (
          <PoolCard />
        )
      ) : error ? (
        <ErrorRetry onRetry={refetch} detail={describeError(error)} answered={wasAnswered(error)} />
      ) : (
        <div role="status" aria-label={t`Loading`} className={styles.waits}>
          <Skeleton shape="box" height={340} className={styles.place} />
        </div>
      )}
      <Rules />
      {loggedIn && <OwnDraws />}
      <Link to="/m/fairness" className={styles.link}>
        {t`Check a result`}
        <Icon name="caret-right" size={16} />
      </Link>
    </div>
  );
}

/** The operator's rules page. */
function Rules() {
  const { t } = useLingui();
  const { data: page, error, refetch } = useQuery(pageQuery(useLanguage(), 'jackpot'));
  if (page) {
    return (
      <section aria-label={page.title}>
        <h2 className={styles.title}>{page.title}</h2>
        <SafeHtml html={page.content} />
      </section>
    );
  }
  if (error && 'status' in error && error.status === 404) {
    return <p className={styles.text}>{t`The operator has not published the rules.`}</p>;
  }
  return error ? (
    <ErrorRetry onRetry={refetch} detail={describeError(error)} answered={wasAnswered(error)} />
  ) : (
    <div className={styles.waits}>
      <Skeleton shape="box" height={160} className={styles.place} />
    </div>
  );
}
