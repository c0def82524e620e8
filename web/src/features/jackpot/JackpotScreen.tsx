import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { jackpotQuery } from '../../api/jackpot.ts';
import { pageQuery } from '../../api/pages.ts';
import { useLoggedIn } from '../../api/session.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { Link } from '../../lib/router.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { SafeHtml } from '../../ui/display/SafeHtml.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { OwnDraws } from './OwnDraws.tsx';
import { PoolCard } from './PoolCard.tsx';
import { SimulatedCard } from './SimulatedCard.tsx';
import { TallSkeleton } from './TallSkeleton.tsx';

import styles from './JackpotScreen.module.css';

export default function JackpotScreen() {
  const { t } = useLingui();
  const jackpot = useQuery(jackpotQuery);
  const loggedIn = useLoggedIn();
  return (
    <div className={styles.screen}>
      <QueryView query={jackpot} skeleton={<TallSkeleton height={340} />}>
        {(data) => {
          if (!data) return <p className={styles.text}>{t`There is no jackpot at the moment.`}</p>;
          return data.simulated ? <SimulatedCard jackpot={data} /> : <PoolCard />;
        }}
      </QueryView>
      <Rules />
      {loggedIn && <OwnDraws />}
      <Link to="/m/fairness" className={styles.link}>
        {t`Check a result`}
        <Icon name="caret-right" size={16} />
      </Link>
    </div>
  );
}

function Rules() {
  const { t } = useLingui();
  const page = useQuery(pageQuery(useLanguage(), 'jackpot'));
  const { data, error } = page;
  if (!data && error && 'status' in error && error.status === 404) {
    return <p className={styles.text}>{t`The operator has not published the rules.`}</p>;
  }
  return (
    <QueryView query={page} skeleton={<TallSkeleton height={160} />}>
      {({ title, content }) => (
        <section aria-label={title}>
          <h2 className={styles.title}>{title}</h2>
          <SafeHtml html={content} />
        </section>
      )}
    </QueryView>
  );
}
