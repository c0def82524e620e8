import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import {
  giveUpReward,
  rewardsKey,
  rewardsQuery,
  type Reward,
  type Rewards,
} from '../../api/rewards.ts';
import { walletQuery } from '../../api/wallet.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { Link } from '../../lib/router.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { useSubmit } from '../../ui/form/useSubmit.ts';
import { Segmented } from '../../ui/Segmented.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';
import { RewardCard } from './RewardCard.tsx';

import styles from './RewardsScreen.module.css';

type View = 'unclaimed' | 'running' | 'past';

const viewOf = ({ status }: Reward): View => {
  if (status === 'UNCLAIMED') return 'unclaimed';
  return status === 'WAGERING' || status === 'APPLIED' ? 'running' : 'past';
};

/** The member’s rewards: to claim, in progress and past. */
export default function RewardsScreen() {
  const query = useQuery(rewardsQuery(useLanguage()));
  return (
    <div className={styles.screen}>
      <QueryView
        query={query}
        className={styles.content}
        skeleton={
          <>
            <Skeleton shape="box" height={120} />
            <Skeleton shape="box" height={50} />
            <Skeleton shape="box" height={76} />
            <Skeleton shape="box" height={76} />
          </>
        }
      >
        {(rewards) => <Content rewards={rewards} />}
      </QueryView>
    </div>
  );
}

function Content({ rewards: { list, unclaimed: unclaimedCount } }: { rewards: Rewards }) {
  const { t } = useLingui();
  const [view, setView] = useState<View>(() =>
    unclaimedCount === 0 && list.some((each) => viewOf(each) === 'running')
      ? 'running'
      : 'unclaimed',
  );
  const [givingUp, setGivingUp] = useState<Reward | null>(null);
  const shown = list.filter((each) => viewOf(each) === view);
  return (
    <>
      <Summary list={list} unclaimedCount={unclaimedCount} />
      <Segmented
        label={t`Rewards`}
        value={view}
        onChange={setView}
        options={[
          {
            value: 'unclaimed',
            label: (
              <>
                {t`Unclaimed`} <Badge count={unclaimedCount} />
              </>
            ),
          },
          { value: 'running', label: t`In progress` },
          { value: 'past', label: t`History` },
        ]}
      />
      {shown.length === 0 ? (
        <Empty
          art={artUrl('spots/empty.webp')}
          icon="gift"
          title={t`No rewards here`}
          actions={
            <Link to="/m/activity" className={buttonClass({ size: 'md' })}>
              {t`See the promotions`}
            </Link>
          }
        />
      ) : (
        <ul className={styles.list}>
          {shown.map((each) => (
            <li key={each.id}>
              <RewardCard reward={each} onGiveUp={() => setGivingUp(each)} />
            </li>
          ))}
        </ul>
      )}
      <GiveUpDialog reward={givingUp} onClose={() => setGivingUp(null)} />
    </>
  );
}

type SummaryProps = { list: readonly Reward[]; unclaimedCount: number };

/** The number and the sum of the rewards to claim. */
function Summary({ list, unclaimedCount }: SummaryProps) {
  const { t } = useLingui();
  const unclaimedRewards = list.filter(({ status }) => status === 'UNCLAIMED');
  const { currency, decimals } = useCurrencyOf(unclaimedRewards[0]?.currency);
  const unit = 10 ** decimals;
  const sum =
    unclaimedRewards.reduce((total, { amount }) => total + Math.round(amount * unit), 0) / unit;
  return (
    <section className={styles.summary} aria-label={t`Rewards to claim`}>
      <div>
        <p>{t({ message: `Rewards to claim: ${unclaimedCount}` })}</p>
        <p className={styles.sum}>
          <Amount value={sum} currency={currency} fit />
        </p>
      </div>
      <img src={artUrl('icons/gift.webp')} alt="" width={80} height={80} />
    </section>
  );
}

type GiveUpDialogProps = { reward: Reward | null; onClose: () => void };

/** Asks for confirmation and shows what the member would lose. */
function GiveUpDialog({ reward, onClose }: GiveUpDialogProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { currency } = useCurrencyOf(reward?.currency);
  const { submit, busy, error } = useSubmit({
    send: (id: string) => giveUpReward(id),
    onDone: async () => {
      toast.success(t`The reward was given up`);
      onClose();
      await Promise.all(
        [rewardsKey, walletQuery.queryKey].map((queryKey) => cache.invalidateQueries({ queryKey })),
      );
    },
  });
  const isRunning = reward?.status === 'WAGERING';
  return (
    <Dialog
      alert
      open={reward !== null}
      onClose={onClose}
      title={t`Give up this reward?`}
      text={
        isRunning
          ? t`The rest of the bonus goes back to the house, and so do wins from unfinished rounds that were staked with the bonus. Your cash stays yours.`
          : t`You cannot claim it later.`
      }
      actions={
        <>
          {/* First, so that it has the focus: giving up cannot be undone. */}
          <Button variant="secondary" onPress={onClose}>
            {t`Keep it`}
          </Button>
          <Button variant="danger" busy={busy} onPress={() => reward && void submit(reward.id)}>
            {t`Give up`}
          </Button>
        </>
      }
    >
      {reward && (
        <p className={styles.lost}>
          <Amount value={isRunning ? (reward.balance ?? 0) : reward.amount} currency={currency} />
        </p>
      )}
      <FormError text={error} />
    </Dialog>
  );
}
