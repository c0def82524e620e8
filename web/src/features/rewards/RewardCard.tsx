import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import { claimReward, rewardsKey, type Reward } from '../../api/rewards.ts';
import { walletQuery } from '../../api/wallet.ts';
import { artUrl } from '../../lib/art.ts';
import { cx } from '../../lib/cx.ts';
import { formatCountdown, formatTime } from '../../lib/dates.ts';
import { Amount } from '../../ui/Amount.tsx';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { useSubmit } from '../../ui/form/useSubmit.ts';
import { toast } from '../../ui/toastStore.ts';

import styles from './RewardsScreen.module.css';

/** A reward that ends sooner is marked. */
const soonMs = 6 * 60 * 60 * 1000;

const art: Record<Reward['category'], string> = {
  deposit: 'money-bag',
  cashback: 'money-wings',
  event: 'party',
  vip: 'crown',
};

type RewardCardProps = { reward: Reward; onGiveUp: () => void };

export function RewardCard({ reward, onGiveUp }: RewardCardProps) {
  const { t } = useLingui();
  const { currency } = useCurrencyOf(reward.currency);
  const { title, status, amount, wagering, payout, category, reason } = reward;
  const left = useTimeLeft(reward);
  const isSoon = left !== null && left < soonMs;
  const isPast = left === null && status !== 'APPLIED';
  return (
    <article className={cx(styles.card, isSoon && styles.soon)}>
      <div className={styles.head}>
        <img
          src={artUrl(`icons/${art[category]}.webp`)}
          alt=""
          width={48}
          height={48}
          className={cx(isPast && styles.grey)}
        />
        <div className={styles.words}>
          <h2 dir="auto" className={styles.title}>
            {title}
          </h2>
          <p className={styles.detail}>
            {amount > 0 ? <Amount value={amount} currency={currency} /> : t`Amount not decided yet`}
            {' · '}
            {payout === 'cash' ? t`Cash` : t`Bonus, wagering ${wagering}×`}
          </p>
          <Ends reward={reward} left={left} isSoon={isSoon} />
          {reason && (
            <p dir="auto" className={styles.detail}>
              {reason}
            </p>
          )}
        </div>
        {status !== 'UNCLAIMED' && <Status reward={reward} />}
      </div>
      {status === 'UNCLAIMED' && <ClaimRow reward={reward} onGiveUp={onGiveUp} />}
      {status === 'WAGERING' && <Wagering reward={reward} onGiveUp={onGiveUp} />}
    </article>
  );
}

/** The time until a reward ends, or null if it has no end. */
function useTimeLeft({ status, expiresAt }: Reward): number | null {
  const [now, setNow] = useState(() => Date.now());
  const runs = (status === 'UNCLAIMED' || status === 'WAGERING') && expiresAt > 0;
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [runs]);
  return runs ? Math.max(0, expiresAt - now) : null;
}

type EndsProps = { reward: Reward; left: number | null; isSoon: boolean };

function Ends({ reward, left, isSoon }: EndsProps) {
  const { t, i18n } = useLingui();
  if (left === null) {
    const at = reward.endedAt ?? reward.claimedAt ?? reward.createdAt;
    return <p className={styles.detail}>{formatTime(at, i18n.locale)}</p>;
  }
  if (isSoon) return <p className={styles.urgent}>{t`Ends in ${formatCountdown(left)}`}</p>;
  return <p className={styles.detail}>{t`Ends ${formatTime(reward.expiresAt, i18n.locale)}`}</p>;
}

function Status({ reward: { status, progress } }: { reward: Reward }) {
  const { t } = useLingui();
  const names: Record<Reward['status'], string> = {
    APPLIED: t`Being checked`,
    UNCLAIMED: t`Unclaimed`,
    WAGERING: `${percentOf(progress)}%`,
    CLAIMED: t`Claimed`,
    COMPLETED: t`Became cash`,
    EXPIRED: t`Expired`,
    GIVEN_UP: t`Given up`,
    REFUSED: t`Not approved`,
  };
  return (
    <span className={styles.status} data-status={status}>
      {names[status]}
    </span>
  );
}

const percentOf = (progress: Reward['progress']): number =>
  progress && progress.total > 0 ? Math.floor((100 * progress.done) / progress.total) : 0;

function ClaimRow({ reward, onGiveUp }: RewardCardProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { submit, busy, error } = useSubmit({
    send: (id: string, key) => claimReward(id, key),
    onDone: async ({ payout }) => {
      toast.success(
        payout === 'cash' ? t`It is in your wallet` : t`The bonus is in your bonus account`,
      );
      await Promise.all(
        [rewardsKey, walletQuery.queryKey].map((queryKey) => cache.invalidateQueries({ queryKey })),
      );
    },
  });
  return (
    <>
      <FormError text={error} />
      <div className={styles.actions}>
        <Button size="sm" variant="text" onPress={onGiveUp}>
          {t`Give up`}
        </Button>
        <Button size="md" busy={busy} onPress={() => void submit(reward.id)}>
          {t`Claim`}
        </Button>
      </div>
    </>
  );
}

/** How much was staked, how much is left, and the way out. */
function Wagering({ reward, onGiveUp }: RewardCardProps) {
  const { t } = useLingui();
  const { currency } = useCurrencyOf(reward.currency);
  const { progress, balance = 0 } = reward;
  const percent = percentOf(progress);
  return (
    <>
      <div
        role="progressbar"
        aria-label={t`Wagering`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className={styles.bar}
      >
        <span style={{ inlineSize: `${percent}%` }} />
      </div>
      {progress && (
        <dl className={styles.progress}>
          <div>
            <dt>{t`Staked`}</dt>
            <dd>
              <Amount value={progress.done} currency={currency} /> /{' '}
              <Amount value={progress.total} currency={currency} />
            </dd>
          </div>
          <div>
            <dt>{t`Left`}</dt>
            <dd>
              <b>
                <Amount value={progress.left} currency={currency} />
              </b>
            </dd>
          </div>
          <div>
            <dt>{t`Bonus account`}</dt>
            <dd>
              <Amount value={balance} currency={currency} />
            </dd>
          </div>
        </dl>
      )}
      <div className={styles.actions}>
        <Button size="sm" variant="text" onPress={onGiveUp}>
          {t`Give up`}
        </Button>
      </div>
    </>
  );
}
