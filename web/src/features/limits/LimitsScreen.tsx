import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import {
  limitPeriods,
  limitsQuery,
  type Limit,
  type LimitPeriod,
  type Limits,
} from '../../api/limits.ts';
import { Link, useAddressQuery } from '../../lib/router.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Breaks } from './Breaks.tsx';
import { LimitCard } from './LimitCard.tsx';
import { LimitForm } from './LimitForm.tsx';
import { OnBreak } from './OnBreak.tsx';
import { Reminder } from './Reminder.tsx';

import styles from './LimitsScreen.module.css';

/** The member's limits, reminders and breaks. */
export default function LimitsScreen() {
  const query = useQuery(limitsQuery);
  return (
    <div className={styles.screen}>
      <QueryView
        query={query}
        className={styles.content}
        skeleton={
          <>
            <Skeleton shape="box" height={82} />
            <Skeleton shape="box" height={46} />
            {[0, 1, 2].map((i) => (
              <Skeleton key={i} shape="box" height={148} />
            ))}
          </>
        }
      >
        {(limits) => <Content limits={limits} />}
      </QueryView>
    </div>
  );
}

/** Shows the part of the screen that the address names, such as ?part=exclusion. */
function useRequestedPart(): void {
  const part = useAddressQuery().get('part');
  useEffect(() => {
    const element = part && document.getElementById(`limits-${part}`);
    if (!element) return;
    element.scrollIntoView({ block: 'center' });
    element.focus({ preventScroll: true });
  }, [part]);
}

function Content({ limits }: { limits: Limits }) {
  const { t } = useLingui();
  useRequestedPart();
  const [period, setPeriod] = useState<LimitPeriod>('day');
  const [open, setOpen] = useState(false);
  const [begun, setBegun] = useState(false);
  const breakHeading = useRef<HTMLHeadingElement>(null);
  // The form keeps its limit while it closes.
  const [edited, setEdited] = useState<Limit | null>(null);
  const names: Record<LimitPeriod, string> = { day: t`Day`, week: t`Week`, month: t`Month` };

  return (
    <>
      {limits.break && (
        <OnBreak
          key={limits.break.until}
          activeBreak={limits.break}
          heading={breakHeading}
          begun={begun}
        />
      )}
      <Summary limits={limits} />
      <section className={styles.section}>
        <h2 className={styles.title}>{t`Your limits`}</h2>
        <Segmented
          label={t`Period`}
          size="sm"
          value={period}
          onChange={setPeriod}
          options={limitPeriods.map((value) => ({ value, label: names[value] }))}
        />
        {limits.limits
          .filter((limit) => limit.period === period)
          .map((limit) => (
            <LimitCard
              key={limit.kind}
              limit={limit}
              code={limits.currency}
              onEdit={() => {
                setEdited(limit);
                setOpen(true);
              }}
            />
          ))}
        <p className={styles.note}>
          {t`A lower limit holds at once. Raising or removing a limit takes 24 hours, and you have to confirm it then. Where several apply, the lowest counts.`}
        </p>
      </section>
      <section className={styles.section}>
        <h2 className={styles.title}>{t`Breaks`}</h2>
        <Reminder check={limits.realityCheck} />
        <Breaks
          activeBreak={limits.break}
          onBegun={() => setBegun(true)}
          focusAfter={() => (begun ? breakHeading.current : null)}
        />
      </section>
      <Link to="/m/service" className={styles.help}>
        <Icon name="headset" className={styles.helpIcon} />
        <span className={styles.helpWords}>
          <b>{t`Would you like to talk to someone?`}</b>
          <span>{t`Customer service helps with limits and breaks.`}</span>
        </span>
        <Icon name="caret-right" size={16} />
      </Link>
      {edited && (
        <LimitForm
          key={`${edited.kind}-${edited.period}-${String(open)}`}
          limit={edited}
          code={limits.currency}
          open={open}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** The totals of the last 24 hours. */
function Summary({ limits }: { limits: Limits }) {
  const { t } = useLingui();
  const { currency } = useCurrencyOf(limits.currency);
  const used = (kind: Limit['kind']) =>
    limits.limits.find((limit) => limit.kind === kind && limit.period === 'day')?.used ?? 0;
  const net = 0 - used('loss');
  return (
    <dl className={styles.summary} aria-label={t`The last 24 hours`}>
      <div>
        <dt>{t`Deposited, 24 hours`}</dt>
        <dd>
          <Amount value={used('deposit')} currency={currency} short />
        </dd>
      </div>
      <div>
        <dt>{t`Staked, 24 hours`}</dt>
        <dd>
          <Amount value={used('stake')} currency={currency} short />
        </dd>
      </div>
      <div>
        <dt>{t`Net, 24 hours`}</dt>
        <dd>
          <Amount value={net} currency={currency} signed short />
        </dd>
      </div>
    </dl>
  );
}
