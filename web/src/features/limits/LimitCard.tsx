import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import {
  confirmLimit,
  limitsQuery,
  withdrawRaise,
  type Limit,
  type LimitKind,
} from '../../api/limits.ts';
import { describeError } from '../../i18n/api-error.ts';
import { cx } from '../../lib/cx.ts';
import { formatTime } from '../../lib/dates.ts';
import { formatMoney } from '../../lib/money.ts';
import { Amount } from '../../ui/Amount.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.ts';
import { toast } from '../../ui/toastStore.ts';
import { usePeriodNames } from './names.ts';

import styles from './card.module.css';

const icons: Record<LimitKind, IconName> = {
  deposit: 'wallet-fill',
  loss: 'trend-down',
  stake: 'coins-fill',
};

/** The used share above which a limit shows a warning. */
const warningShare = 0.8;

export type LimitCardProps = { limit: Limit; code: string; onEdit: () => void };

/** One limit, the used amount and a pending raise. */
export function LimitCard({ limit, code, onEdit }: LimitCardProps) {
  const { t, i18n } = useLingui();
  const { currency } = useCurrencyOf(code);
  const { kinds, periods } = usePeriodNames();
  const { kind, amount, pending } = limit;
  // A net win makes the loss negative.
  const used = Math.max(0, limit.used);
  const part = amount === null ? 0 : amount === 0 ? 1 : Math.min(1, used / amount);
  const isNearLimit = amount !== null && part > warningShare;
  const left = formatMoney(Math.max(0, (amount ?? 0) - used), { currency, language: i18n.locale });
  return (
    <article className={styles.card} aria-label={kinds[kind]}>
      <div className={styles.head}>
        <span className={cx(styles.mark, kind !== 'deposit' && styles[`${kind}Mark`])}>
          <Icon name={icons[kind]} />
        </span>
        <div className={styles.words}>
          <h3 className={styles.name}>{kinds[kind]}</h3>
          <p className={cx(styles.sub, isNearLimit && styles.near)}>
            {!isNearLimit
              ? periods[limit.period]
              : part >= 1
                ? t`The limit is reached`
                : t`Near the limit, ${left} left`}
          </p>
        </div>
        <Button variant="secondary" size="sm" onPress={onEdit}>
          {amount === null ? t`Set a limit` : t`Change`}
        </Button>
      </div>
      {amount !== null && (
        <div className={styles.bar} aria-hidden="true">
          <div
            className={cx(styles.used, isNearLimit && styles.nearBar)}
            style={{ '--part': part }}
          />
        </div>
      )}
      <p className={styles.numbers}>
        <span>
          {t`Used`}{' '}
          <b>
            <Amount value={used} currency={currency} />
          </b>
        </span>
        <span>
          {amount === null ? (
            t`No limit`
          ) : (
            <>
              {t`Limit`}{' '}
              <b>
                <Amount value={amount} currency={currency} />
              </b>
            </>
          )}
        </span>
      </p>
      {pending && <Pending limit={limit} pending={pending} code={code} />}
    </article>
  );
}

type PendingProps = { limit: Limit; pending: NonNullable<Limit['pending']>; code: string };

/** A pending raise. After the waiting time the member can confirm it. */
function Pending({ limit, pending, code }: PendingProps) {
  const { t, i18n } = useLingui();
  const cache = useQueryClient();
  const { currency } = useCurrencyOf(code);
  const [busy, setBusy] = useState<'confirm' | 'withdraw' | null>(null);
  const [now] = useState(() => Date.now());
  const canConfirm = now >= pending.from;
  const from = formatTime(pending.from, i18n.locale);
  const until = formatTime(pending.confirmUntil, i18n.locale);
  const amount =
    pending.amount === null
      ? null
      : formatMoney(pending.amount, { currency, language: i18n.locale });

  async function run(action: 'confirm' | 'withdraw'): Promise<void> {
    setBusy(action);
    try {
      await (action === 'confirm' ? confirmLimit(limit) : withdrawRaise(limit));
      toast.success(action === 'confirm' ? t`Limit changed` : t`The limit stays as it is`);
    } catch (thrown) {
      toast.error(describeError(thrown));
    } finally {
      await cache.invalidateQueries({ queryKey: limitsQuery.queryKey });
      setBusy(null);
    }
  }

  return (
    <div className={styles.pending}>
      <Icon name="clock-countdown-fill" className={styles.pendingIcon} />
      <p className={styles.pendingWords}>
        {canConfirm
          ? amount
            ? t`Raise to ${amount}: confirm it until ${until}`
            : t`Removal: confirm it until ${until}`
          : amount
            ? t`Raise to ${amount}, to be confirmed from ${from}`
            : t`Removal, to be confirmed from ${from}`}
      </p>
      <div className={styles.pendingActions}>
        <Button
          variant="secondary"
          size="sm"
          busy={busy === 'withdraw'}
          disabled={busy === 'confirm'}
          onPress={() => void run('withdraw')}
        >
          {t`Withdraw it`}
        </Button>
        {canConfirm && (
          <Button
            variant="outline"
            size="sm"
            busy={busy === 'confirm'}
            disabled={busy === 'withdraw'}
            onPress={() => void run('confirm')}
          >
            {t`Confirm`}
          </Button>
        )}
      </div>
    </div>
  );
}
