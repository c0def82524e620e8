import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { useCurrencyOf } from '../../api/amounts.ts';
import { referralsQuery, type Referrals } from '../../api/loyalty.ts';
import { useSession } from '../../api/session.ts';
import { Link } from '../../lib/router.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { CopyButton } from '../../ui/display/CopyButton.tsx';
import { QrCode } from '../../ui/display/QrCode.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './InviteScreen.module.css';

/** The member's invitation code and what it led to. Visitors are asked to log in. */
export default function InviteScreen() {
  const { t } = useLingui();
  const session = useSession();
  if (!session)
    return (
      <Empty
        icon="gift"
        title={t`Log in to see your invitation code`}
        actions={
          <Link to="/m/login" className={buttonClass({ size: 'md' })}>
            {t`Login`}
          </Link>
        }
      />
    );
  return <OwnInvitations />;
}

function OwnInvitations() {
  const query = useQuery(referralsQuery);
  return (
    <div className={styles.screen}>
      <QueryView
        query={query}
        className={styles.content}
        skeleton={
          <>
            <Skeleton shape="box" height={320} />
            <Skeleton shape="box" height={150} />
          </>
        }
      >
        {(referrals) => <Content referrals={referrals} />}
      </QueryView>
    </div>
  );
}

function Content({
  referrals: { code, terms, month, total, currency: name },
}: {
  referrals: Referrals;
}) {
  const { t } = useLingui();
  const { currency } = useCurrencyOf(name);
  const address = `${location.origin}/m/register?code=${encodeURIComponent(code)}`;
  const days = terms?.days ?? 0;
  const maxRewards = terms?.most ?? 0;
  return (
    <>
      <section className={styles.card}>
        {terms && (
          <>
            <p className={styles.detail}>{t`For each friend you invite`}</p>
            <p className={styles.sum}>
              <Amount value={terms.reward} currency={currency} fit />
            </p>
          </>
        )}
        <QrCode text={address} label={t`Invitation`} size={180} />
        <p className={styles.detail}>{t`Your invitation code`}</p>
        <p className={styles.code}>
          <bdi>{code}</bdi> <CopyButton text={code} label={t`the code`} className={styles.copy} />
        </p>
        <p className={styles.link}>
          <bdi>{address}</bdi>{' '}
          <CopyButton text={address} label={t`the link`} className={styles.copy} />
        </p>
      </section>
      {terms && (
        <ul className={styles.terms}>
          {terms.deposit > 0 && (
            <li>
              {t`Your friend deposits at least`}{' '}
              <Amount value={terms.deposit} currency={currency} />
            </li>
          )}
          {terms.turnover > 0 && (
            <li>
              {t`Your friend stakes at least`} <Amount value={terms.turnover} currency={currency} />
            </li>
          )}
          <li>{t({ message: `Within ${days} days after registration` })}</li>
          {maxRewards > 0 && <li>{t({ message: `At most ${maxRewards} rewards in a month` })}</li>}
          <li>{t`One account for each person`}</li>
        </ul>
      )}
      <ReferralStats title={t`This month`} figures={month} currency={currency} />
      <ReferralStats title={t`In total`} figures={total} currency={currency} />
    </>
  );
}

type ReferralStatsProps = {
  title: string;
  figures: Referrals['month'];
  currency: ReturnType<typeof useCurrencyOf>['currency'];
};

function ReferralStats({ title, figures, currency }: ReferralStatsProps) {
  const { t } = useLingui();
  return (
    <section className={styles.figures}>
      <h2>{title}</h2>
      <dl>
        <div>
          <dt>{t`Registered`}</dt>
          <dd>{figures.registered}</dd>
        </div>
        <div>
          <dt>{t`With a deposit`}</dt>
          <dd>{figures.deposited}</dd>
        </div>
        <div>
          <dt>{t`Rewards to claim`}</dt>
          <dd>
            <Amount value={figures.waiting} currency={currency} />
          </dd>
        </div>
        <div>
          <dt>{t`Rewards received`}</dt>
          <dd>
            <Amount value={figures.earned} currency={currency} />
          </dd>
        </div>
      </dl>
    </section>
  );
}
