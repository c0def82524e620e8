import { useLingui } from '@lingui/react/macro';

import { useCurrencyOf } from '../../api/amounts.ts';
import type { Promotion } from '../../api/promotions.ts';
import { loginPath } from '../../api/require-login.ts';
import { useLoggedIn } from '../../api/session.ts';
import { fromMinorUnits } from '../../lib/decimal-text.ts';
import { Link } from '../../lib/router.tsx';
import { useStartAtTop } from '../../lib/start-at-top.ts';
import { Amount } from '../../ui/Amount.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ApplyForm } from './ApplyForm.tsx';
import { CodeForm } from './CodeForm.tsx';
import { exampleReward } from './example.ts';
import { Hero } from './Hero.tsx';
import { detailPath } from './names.ts';
import { useKeyTerms } from './terms.tsx';

import styles from './PromotionsScreen.module.css';

/** One promotion with all terms and the way to join. */
export function PromotionDetail({ promotion }: { promotion: Promotion }) {
  const { t } = useLingui();
  const terms = useKeyTerms(promotion);
  useStartAtTop();
  return (
    <article className={styles.content}>
      <div className={styles.card}>
        <Hero promotion={promotion} heading="h1" large />
        <section aria-label={t`Main terms`}>
          <dl className={styles.grid}>
            {terms.map(({ name, text, icon }) => (
              <div key={name}>
                <Icon name={icon} size={22} className={styles.termIcon} />
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
      <Example promotion={promotion} />
      {promotion.terms && (
        <section className={styles.box}>
          <h2 className={styles.subtitle}>{t`Terms`}</h2>
          <ul dir="auto" className={styles.termList}>
            {promotion.terms.split('\n').map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </section>
      )}
      <p className={styles.note}>
        <Icon name="info" size={18} />
        {t`You do not have to take part. You can give up a bonus at any time.`}
      </p>
      <Join promotion={promotion} />
    </article>
  );
}

/** What a deposit or loss at the least amount pays. */
function Example({ promotion }: { promotion: Promotion }) {
  const { t, i18n } = useLingui();
  const { currency, decimals } = useCurrencyOf(promotion.currency);
  const { percent, min, wagering, payout, kind } = promotion;
  if (percent <= 0 || min <= 0) return null;
  const reward = exampleReward(promotion, decimals);
  const total = fromMinorUnits(reward * BigInt(wagering), decimals);
  const share = new Intl.NumberFormat(i18n.locale, {
    style: 'percent',
    maximumFractionDigits: 2,
    numberingSystem: 'latn',
  }).format(percent / 100);
  return (
    <section className={styles.box}>
      <h2 className={styles.subtitle}>{t`Example`}</h2>
      <dl className={styles.example}>
        <div>
          <dt>{kind === 'loss_rebate' ? t`You lose` : t`You deposit`}</dt>
          <dd>
            <Amount value={min} currency={currency} />
          </dd>
        </div>
        <div>
          <dt>{t`Reward ${share}`}</dt>
          <dd>
            <Amount value={fromMinorUnits(reward, decimals)} currency={currency} />
          </dd>
        </div>
        {payout === 'bonus' && (
          <div>
            <dt>{t`To stake before it is cash`}</dt>
            <dd className={styles.total}>
              <Amount value={total} currency={currency} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** The way to join, which depends on the kind and on what the member did before. */
function Join({ promotion }: { promotion: Promotion }) {
  const { t } = useLingui();
  const loggedIn = useLoggedIn();
  const { id, kind, state } = promotion;
  const toRewards = (
    <Link to="/m/rewardCenter" className={buttonClass({ full: true })}>
      {t`Go to the reward centre`}
    </Link>
  );
  if (state === 'granted') return toRewards;
  if (state === 'applied')
    return (
      <p role="status" className={styles.state}>
        {t`We are checking your application. The reward centre shows the result.`}
      </p>
    );
  if (state === 'closed')
    return (
      <p role="status" className={styles.state}>
        {t`The time to apply is over.`}
      </p>
    );
  if (state === 'refused')
    return (
      <>
        <p role="status" className={styles.state}>
          {t`Your application was not approved. The reward centre shows why.`}
        </p>
        {toRewards}
      </>
    );
  if (!loggedIn)
    return (
      <Link to={loginPath(detailPath(id))} className={buttonClass({ full: true })}>
        {t`Log in to take part`}
      </Link>
    );
  switch (kind) {
    case 'first_deposit':
    case 'reload':
      return (
        <Link to="/m/voucherCenter" className={buttonClass({ full: true })}>
          {t`Deposit now`}
        </Link>
      );
    case 'promo_code':
      return <CodeForm primary />;
    case 'application':
      return <ApplyForm id={id} />;
    default:
      return (
        <>
          <p className={styles.state}>{t`You take part by yourself. There is nothing to do.`}</p>
          {toRewards}
        </>
      );
  }
}
