import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import {
  exclusions,
  limitsQuery,
  takeBreak,
  timeOuts,
  type Break,
  type BreakPeriod,
} from '../../api/limits.ts';
import { describeError } from '../../i18n/api-error.ts';
import { cx } from '../../lib/cx.ts';
import { useAddressQuery } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/toastStore.ts';
import { useBreakNames } from './names.ts';

import styles from './card.module.css';

const order: readonly BreakPeriod[] = [...timeOuts, ...exclusions];

/** Reports whether a break ends later than the active one, which cannot be shortened. */
const isLonger = (period: BreakPeriod, activeBreak: Break | null) =>
  !activeBreak || activeBreak.longer.includes(period);

export type BreaksProps = {
  activeBreak: Break | null;
  onBegun: () => void;
  /** The element to focus when the dialog closes. Null restores the previous focus. */
  focusAfter: () => HTMLElement | null;
};

/** Time-outs and self-exclusions. Both begin at once, and neither ends early. */
export function Breaks({ activeBreak, onBegun, focusAfter }: BreaksProps) {
  const { t } = useLingui();
  const names = useBreakNames();
  const cache = useQueryClient();
  const requested = useAddressQuery().get('break');
  const [pending, setPending] = useState<BreakPeriod | null>(
    () => order.find((period) => period === requested && isLonger(period, activeBreak)) ?? null,
  );
  // The dialog keeps its text while it closes.
  const [last, setLast] = useState<BreakPeriod>(pending ?? '24h');
  if (pending && pending !== last) setLast(pending);
  const [busy, setBusy] = useState(false);
  const isExclusion = (exclusions as readonly BreakPeriod[]).includes(last);
  const name = names[last];

  async function begin(): Promise<void> {
    setBusy(true);
    try {
      await takeBreak(last);
      toast.success(t`Your break has begun`, { seconds: 3 });
      onBegun();
      setPending(null);
    } catch (thrown) {
      toast.error(describeError(thrown));
    } finally {
      await cache.invalidateQueries({ queryKey: limitsQuery.queryKey });
      setBusy(false);
    }
  }

  return (
    <>
      <article className={styles.card} aria-label={t`Time-out`}>
        <div className={styles.head}>
          <span className={cx(styles.mark, styles.restMark)}>
            <Icon name="coffee-fill" />
          </span>
          <div className={styles.words}>
            <h3 className={styles.name}>{t`Time-out`}</h3>
            <p className={styles.sub}>{t`No deposits, no bets. You can still withdraw.`}</p>
          </div>
        </div>
        <PeriodChoice
          periods={timeOuts}
          activeBreak={activeBreak}
          action={t`Begin a time-out`}
          onChoose={setPending}
        />
      </article>
      <article
        id="limits-exclusion"
        tabIndex={-1}
        className={cx(styles.card, styles.grave)}
        aria-label={t`Self-exclusion`}
      >
        <div className={styles.head}>
          <span className={cx(styles.mark, styles.lossMark)}>
            <Icon name="prohibit" />
          </span>
          <div className={styles.words}>
            <h3 className={styles.name}>{t`Self-exclusion`}</h3>
            <p className={styles.sub}>
              {t`Closes play for a long time, also for a new account of yours. No paper is needed, and your money stays yours to withdraw.`}
            </p>
          </div>
        </div>
        <PeriodChoice
          periods={exclusions}
          activeBreak={activeBreak}
          action={t`Exclude myself`}
          onChoose={setPending}
          grave
        />
      </article>
      <Dialog
        alert
        open={pending !== null}
        onClose={() => setPending(null)}
        focusAfter={focusAfter}
        title={isExclusion ? t`Exclude yourself: ${name}?` : t`Take a time-out: ${name}?`}
        text={
          isExclusion
            ? t`It begins now and cannot be ended early by anybody. No bets, no deposits, no promotions. Lottery bets on draws that are still open are cancelled, and their stakes come back. You can still log in and withdraw.`
            : t`It begins now and cannot be ended early. No bets, no deposits, no promotions. Lottery bets on draws that are still open are cancelled, and their stakes come back. You can still log in and withdraw.`
        }
        actions={
          <>
            {/* First, so that it has the focus: a break cannot be undone. */}
            <Button variant="secondary" onPress={() => setPending(null)}>
              {t`Cancel`}
            </Button>
            <Button variant="danger" busy={busy} onPress={() => void begin()}>
              {t`Yes, begin now`}
            </Button>
          </>
        }
      />
    </>
  );
}

type PeriodChoiceProps = {
  periods: readonly BreakPeriod[];
  activeBreak: Break | null;
  action: string;
  grave?: boolean;
  onChoose: (period: BreakPeriod) => void;
};

/** Lets the member choose a period. None is preselected. */
function PeriodChoice({ periods, activeBreak, action, grave, onChoose }: PeriodChoiceProps) {
  const names = useBreakNames();
  const [chosen, setChosen] = useState<BreakPeriod | null>(null);
  return (
    <>
      <fieldset
        className={cx(styles.choices, periods.length % 2 === 0 && styles.two)}
        aria-label={action}
      >
        {periods.map((period) => (
          <label key={period} className={styles.choice}>
            <input
              type="radio"
              name={action}
              className={styles.radio}
              checked={chosen === period}
              disabled={!isLonger(period, activeBreak)}
              onChange={() => setChosen(period)}
            />
            {names[period]}
          </label>
        ))}
      </fieldset>
      <Button
        variant={grave ? 'danger' : 'secondary'}
        size="md"
        full
        disabled={chosen === null}
        className={grave ? styles.leave : undefined}
        onPress={() => chosen && onChoose(chosen)}
      >
        {chosen ? `${action}: ${names[chosen]}` : action}
      </Button>
    </>
  );
}
