import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { promotionsQuery, type Promotion, type PromotionCategory } from '../../api/promotions.ts';
import { rewardsQuery } from '../../api/rewards.ts';
import { isRealAccount, useSession } from '../../api/session.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { Link, useAddressQuery } from '../../lib/router.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { BarActions } from '../../ui/BarActions.tsx';
import { Chips } from '../../ui/display/Chips.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { CodeForm } from './CodeForm.tsx';
import { useCategoryNames } from './names.ts';
import { PromotionCard } from './PromotionCard.tsx';
import { PromotionDetail } from './PromotionDetail.tsx';

import styles from './PromotionsScreen.module.css';

/** All promotions, or one of them: the address says which. */
export default function PromotionsScreen() {
  const { t } = useLingui();
  const id = useAddressQuery().get('promotion');
  const query = useQuery(promotionsQuery(useLanguage()));
  return (
    <div className={styles.screen}>
      <RewardsLink />
      <QueryView
        query={query}
        className={styles.content}
        skeleton={
          <>
            <Skeleton shape="box" height={44} />
            <Skeleton shape="box" height={176} />
            <Skeleton shape="box" height={176} />
          </>
        }
        isEmpty={(list) => list.length === 0}
        empty={
          <Empty
            art={artUrl('spots/empty.webp')}
            icon="gift"
            title={t`No promotions at the moment`}
          />
        }
      >
        {(list) => {
          const one = id === null ? undefined : list.find((each) => each.id === id);
          return one ? <PromotionDetail promotion={one} /> : <PromotionList list={list} />;
        }}
      </QueryView>
    </div>
  );
}

/** The way to the reward centre, with the number of rewards that wait. */
function RewardsLink() {
  const { t } = useLingui();
  const real = isRealAccount(useSession());
  const { data } = useQuery({ ...rewardsQuery(useLanguage()), enabled: real });
  return (
    <BarActions>
      <Link to="/m/rewardCenter" aria-label={t`Reward centre`} className={styles.rewards}>
        <Icon name="ticket" size={24} />
        <Badge count={data?.unclaimed ?? 0} className={styles.count} />
      </Link>
    </BarActions>
  );
}

function PromotionList({ list }: { list: readonly Promotion[] }) {
  const { t } = useLingui();
  const names = useCategoryNames();
  const [category, setCategory] = useState<PromotionCategory | 'all'>('all');
  const used = (Object.keys(names) as PromotionCategory[]).filter((name) =>
    list.some((each) => each.category === name),
  );
  const hasCode = list.some((each) => each.kind === 'promo_code');
  return (
    <>
      <Chips
        label={t`Category`}
        value={category}
        onChange={setCategory}
        options={[
          { value: 'all' as const, label: t`All` },
          ...used.map((name) => ({ value: name, label: names[name] })),
        ]}
      />
      <ul className={styles.list}>
        {list
          .filter((each) => category === 'all' || each.category === category)
          .map((each) => (
            <li key={each.id}>
              <PromotionCard promotion={each} />
            </li>
          ))}
      </ul>
      {hasCode && <CodeForm />}
    </>
  );
}
