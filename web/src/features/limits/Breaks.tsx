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

/** Whether a break reaches further than the one that runs, by the server's clock: nothing shortens it. */
const isLonger = (period: BreakPeriod, pause: Break | null) =>
  !pause || pause.longer.includes(period);

export type BreaksProps = {
  pause: Break | null;
  onBegun: () => void;
  /** Where the focus goes when the question closes; null is where it was before. */
  focusAfter: () => HTMLElement | null;
};

/** Times without play: short ones to rest, long ones to stop. Both begin at once, and neither ends early. */
export function Breaks({ pause, onBegun, focusAfter }: BreaksProps) {
  const { t } = useLingui();
  const names = useBreakNames();
  const cache = useQueryClient();
  const query = useAddressQuery().get('break');
  const [asked, setAsked] = useState<BreakPeriod | null>(
    () => order.find((period) => period === query && isLonger(period, pause)) ?? null,
  );
  // The question keeps its words while it closes.
  const [last, setLast] = useState<BreakPeriod>(asked ?? '24h');
  if (asked && asked !== last) setLast(asked);
  const [busy, setBusy] = useState(false);
  const excludes = (exclusions as readonly BreakPeriod[]).includes(last);
  const name = names[last];

  async function begin(): Promise<void> {
    setBusy(true);
    try {
      await takeBreak(last);
      toast.success(t`Your break has begun`, { seconds: 3 });
      onBegun();
      setAsked(null);
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
        <Choice periods={timeOuts} pause={pause} action={t`Begin a time-out`} onAsk={setAsked} />
      </article>
      <article className={cx(styles.card, styles.grave)} aria-label={t`Self-exclusion`}>
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
        <Choice
          periods={exclusions}
          pause={pause}
          action={t`Exclude myself`}
          onAsk={setAsked}
          grave
        />
      </article>
      <Dialog
        alert
        open={asked !== null}
        onClose={() => setAsked(null)}
        focusAfter={focusAfter}
        title={excludes ? t`Exclude yourself: ${name}?` : t`Take a time-out: ${name}?`}
        text={
          excludes
            ? t`It begins now and cannot be ended early by anybody. No bets, no deposits, no promotions. You can still log in and withdraw.`
            : t`It begins now and cannot be ended early. No bets, no deposits, no promotions. You can still log in and withdraw.`
        }
        actions={
          <>
            {/* First, so that neither a slip of the thumb nor the focus begins what cannot be ended. */}
            <Button variant="secondary" onPress={() => setAsked(null)}>
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

type ChoiceProps = {
  periods: readonly BreakPeriod[];
  pause: Break | null;
  action: string;
  grave?: boolean;
  onAsk: (period: BreakPeriod) => void;
};

/** Nothing is chosen beforehand: how long is the member's own decision. */
function Choice({ periods, pause, action, grave, onAsk }: ChoiceProps) {
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
              disabled={!isLonger(period, pause)}
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
        onPress={() => chosen && onAsk(chosen)}
      >
        {chosen ? `${action}: ${names[chosen]}` : action}
      </Button>
    </>
  );
}
