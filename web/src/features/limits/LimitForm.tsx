import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import { limitsQuery, setLimit, type Limit } from '../../api/limits.ts';
import { describeError } from '../../i18n/api-error.ts';
import { compareAmounts, toMinor } from '../../lib/decimal-text.ts';
import { formatMoney, formatNumber } from '../../lib/money.ts';
import { readAmount } from '../../lib/typed-amount.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { toast } from '../../ui/toastStore.ts';
import { usePeriodNames } from './names.ts';

import styles from './LimitForm.module.css';

export type LimitFormProps = { limit: Limit; code: string; open: boolean; onClose: () => void };

/** The server's maximum, in minor units. */
const maxMinorAmount = 1_000_000_000_000_000n;

const isAbove = (text: string, other: number) => compareAmounts(text, String(other)) > 0;

/** Offers no preset amounts, so that none is suggested. */
export function LimitForm({ limit, code, open, onClose }: LimitFormProps) {
  const { t, i18n } = useLingui();
  const cache = useQueryClient();
  const { currency, decimals } = useCurrencyOf(code);
  const { kinds, periods } = usePeriodNames();
  const [typed, setTyped] = useState(() =>
    limit.amount === null
      ? ''
      : formatNumber(limit.amount, { pattern: currency.pattern, language: i18n.locale }),
  );
  const [isInvalid, setInvalid] = useState(false);
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState<'save' | 'remove' | null>(null);
  const [warned, setWarned] = useState(false);
  const amount = readAmount(typed, decimals);
  const written = amount === null ? '' : formatMoney(amount, { currency, language: i18n.locale });
  const raises = amount !== null && limit.amount !== null && isAbove(amount, limit.amount);
  // A limit below the used amount stops play for a day, so it needs a confirmation.
  const stopsPlay = amount !== null && !raises && !isAbove(amount, Math.max(0, limit.used));

  async function send(action: 'save' | 'remove', next: string | null): Promise<void> {
    setBusy(action);
    setFailure('');
    const waits = limit.amount !== null && (next === null || isAbove(next, limit.amount));
    try {
      await setLimit({ kind: limit.kind, period: limit.period, amount: next });
      await cache.invalidateQueries({ queryKey: limitsQuery.queryKey });
      if (waits) toast.show(t`This waits 24 hours, then you can confirm it here`, { long: true });
      else toast.success(t`The limit holds from now on`, { seconds: 3 });
      onClose();
    } catch (thrown) {
      setFailure(describeError(thrown));
    } finally {
      setBusy(null);
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const tooLarge = amount !== null && (toMinor(amount, decimals) ?? 0n) > maxMinorAmount;
    setInvalid(amount === null || tooLarge);
    if (amount === null || tooLarge || busy !== null) return;
    if (stopsPlay && !warned) setWarned(true);
    else void send('save', amount);
  }

  return (
    <Sheet open={open} onClose={onClose} title={`${kinds[limit.kind]} · ${periods[limit.period]}`}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <FormError text={failure} />
        <Field
          label={t`Limit (${currency.symbol})`}
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          dir="ltr"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setInvalid(false);
            setWarned(false);
            setFailure('');
          }}
          errors={
            !isInvalid
              ? []
              : amount === null
                ? [t`Type an amount, such as 500000`]
                : [t`This amount is too large`]
          }
          hint={written}
        />
        <p
          className={styles.note}
          role={warned ? 'alert' : undefined}
          data-warned={warned || undefined}
        >
          {raises
            ? t`Higher than now: this waits 24 hours and has to be confirmed then.`
            : !stopsPlay
              ? t`This holds from the moment you save it.`
              : limit.kind === 'deposit'
                ? t`This stops your deposits at once, for 24 hours at least.`
                : t`This stops your bets at once, for 24 hours at least.`}
        </p>
        <Button type="submit" full busy={busy === 'save'} disabled={busy === 'remove'}>
          {warned ? t`Save it all the same` : t`Save`}
        </Button>
        {limit.amount !== null && (
          <Button
            variant="text"
            size="md"
            full
            busy={busy === 'remove'}
            disabled={busy === 'save'}
            onPress={() => void send('remove', null)}
          >
            {t`Remove the limit after 24 hours`}
          </Button>
        )}
      </form>
    </Sheet>
  );
}
