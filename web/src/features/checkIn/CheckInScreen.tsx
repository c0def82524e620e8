import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import { checkInKey, checkInQuery, doCheckIn, type CheckIn } from '../../api/loyalty.ts';
import { rewardsKey } from '../../api/rewards.ts';
import { walletQuery } from '../../api/wallet.ts';
import { artUrl } from '../../lib/art.ts';
import { formatNumber } from '../../lib/money.ts';
import { Amount } from '../../ui/Amount.tsx';
import { Button } from '../../ui/Button.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Dock } from '../../ui/Dock.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { useSubmit } from '../../ui/form/useSubmit.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';
import { Calendar } from './Calendar.tsx';

import styles from './CheckInScreen.module.css';

/** Check-in: the run of days, what each pays, and the month. */
export default function CheckInScreen() {
  const [month, setMonth] = useState('');
  const query = useQuery({ ...checkInQuery(month), placeholderData: keepPreviousData });
  return (
    <div className={styles.screen}>
      <QueryView
        query={query}
        className={styles.content}
        skeleton={
          <>
            <Skeleton shape="box" height={72} />
            <Skeleton shape="box" height={84} />
            <Skeleton shape="box" height={320} />
          </>
        }
      >
        {(checkIn) => <Content checkIn={checkIn} onMonth={setMonth} />}
      </QueryView>
    </div>
  );
}

type ContentProps = { checkIn: CheckIn; onMonth: (month: string) => void };

function Content({ checkIn, onMonth }: ContentProps) {
  const { t, i18n } = useLingui();
  const { currency } = useCurrencyOf(checkIn.currency);
  const { streak, longest } = checkIn;
  return (
    <>
      <section className={styles.head}>
        <img src={artUrl('icons/fire.webp')} alt="" width={56} height={56} />
        <div>
          <h2 className={styles.streak}>{t({ message: `Days in a row: ${streak}` })}</h2>
          <p className={styles.detail}>{t({ message: `Longest run: ${longest}` })}</p>
        </div>
      </section>
      <ol className={styles.days}>
        {(checkIn.days ?? []).map(({ day, amount, gift, state }) => (
          <li key={day} className={styles.day} data-state={state}>
            <span>{t({ message: `Day ${day}` })}</span>
            {state === 'done' ? (
              <span className={styles.done} role="img" aria-label={t`Checked in`}>
                <Icon name="check-bold" size={16} />
              </span>
            ) : (
              <img
                src={artUrl(`icons/${gift ? 'gift' : 'coin'}.webp`)}
                alt={gift ? t`Weekly gift` : ''}
                width={28}
                height={28}
              />
            )}
            <b>
              {formatNumber(amount, {
                pattern: currency.pattern,
                language: i18n.locale,
                decimals: 'needed',
              })}
            </b>
          </li>
        ))}
      </ol>
      <Calendar checkIn={checkIn} onMonth={onMonth} />
      <Dock>
        <p className={styles.offer}>{t`No deposit and no bet needed. The reward is cash.`}</p>
        <CheckInButton key={checkIn.today} checkIn={checkIn} currency={currency} />
      </Dock>
    </>
  );
}

type ButtonProps = { checkIn: CheckIn; currency: ReturnType<typeof useCurrencyOf>['currency'] };

function CheckInButton({ checkIn, currency }: ButtonProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [isDone, setIsDone] = useState(false);
  const refresh = () =>
    Promise.all(
      [checkInKey, rewardsKey, walletQuery.queryKey].map((queryKey) =>
        cache.invalidateQueries({ queryKey }),
      ),
    );
  const { submit, busy, error } = useSubmit({
    send: (_: null, key) => doCheckIn(key),
    onDone: async () => {
      setIsDone(true);
      toast.success(t`Checked in. The reward is in your wallet.`);
      await refresh();
    },
  });
  if (checkIn.checkedIn || isDone)
    return (
      <p role="status" className={styles.today}>
        <Icon name="check-bold" size={16} /> {t`Checked in today. Come back tomorrow.`}
      </p>
    );
  return (
    <>
      <FormError text={error} />
      <Button busy={busy} onPress={() => void submit(null)}>
        {t`Check in`} · <Amount value={checkIn.amount} currency={currency} />
      </Button>
    </>
  );
}
