import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type SubmitEvent } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import { useWalletCurrency } from '../../api/currency.ts';
import {
  createDeposit,
  depositListQuery,
  depositMethodsQuery,
  depositsKey,
  isOpenDeposit,
  type DepositMethod,
} from '../../api/deposits.ts';
import { limitsQuery } from '../../api/limits.ts';
import { MemberDraft } from '../../api/member-draft.ts';
import { walletQuery } from '../../api/wallet.ts';
import { compareAmounts } from '../../lib/decimal-text.ts';
import { Link, navigate } from '../../lib/router.tsx';
import { readAmount } from '../../lib/typed-amount.ts';
import { Amount } from '../../ui/Amount.tsx';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Dock } from '../../ui/Dock.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Field } from '../../ui/Field.tsx';
import { AmountField, useAmountCheck } from '../../ui/form/AmountField.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { SelectField } from '../../ui/form/SelectField.tsx';
import { useSubmit } from '../../ui/form/useSubmit.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { feeOf, minus, quickAmounts, tightestLimit } from './amounts.ts';
import { LimitBar } from './LimitBar.tsx';
import { LimitOffer } from './LimitOffer.tsx';
import { Methods } from './Methods.tsx';
import { orderPath } from './paths.ts';

import styles from './DepositScreen.module.css';

export function DepositForm() {
  const { t } = useLingui();
  const methods = useQuery(depositMethodsQuery);
  const { data: limits } = useQuery(limitsQuery);
  const wallet = useQuery(walletQuery).data;
  const currency = useWalletCurrency(wallet);
  return (
    <>
      <p className={styles.balance}>
        {t`Balance`} <Amount value={wallet?.total} currency={currency} />
      </p>
      <OpenDeposits />
      {limits?.break ? (
        <Empty
          icon="coffee-fill"
          title={t`You are taking a break`}
          text={t`You cannot deposit during a break. You can still withdraw.`}
          actions={
            <Link to="/m/member/limits" className={buttonClass({ size: 'md' })}>
              {t`See your break`}
            </Link>
          }
        />
      ) : (
        <QueryView
          query={methods}
          skeleton={
            <div className={styles.column}>
              <Skeleton shape="box" height={152} />
              <Skeleton shape="box" height={240} />
              <Skeleton shape="box" height={96} />
            </div>
          }
          isEmpty={(list) => list.length === 0}
          empty={
            <Empty
              icon="wallet-fill"
              title={t`No way to deposit is open`}
              text={t`Please come back later, or ask customer service.`}
              actions={
                <Link to="/m/service" className={buttonClass({ size: 'md' })}>
                  {t`Customer service`}
                </Link>
              }
            />
          }
        >
          {(list) => <Fields methods={list} />}
        </QueryView>
      )}
    </>
  );
}

/** The deposits that wait. They stay after the app was closed. */
function OpenDeposits() {
  const { t } = useLingui();
  const { data } = useInfiniteQuery(depositListQuery);
  const open = (data?.pages[0]?.list ?? []).filter(({ status }) => isOpenDeposit(status));
  const { currency } = useCurrencyOf(open[0]?.currency);
  if (open.length === 0) return null;
  return (
    <ul className={styles.open} aria-label={t`Open deposits`}>
      {open.map(({ id, amount, status }) => (
        <li key={id}>
          <Link to={orderPath(id)} className={styles.openRow}>
            <Icon name="clock-countdown-fill" className={styles.openIcon} />
            <span className={styles.openWords}>
              {status === 'CLAIMED' ? t`Being checked` : t`Waiting for the money`}
            </span>
            <b>
              <Amount value={amount} currency={currency} />
            </b>
            <Icon name="caret-right" size={16} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

type Typed = { method: string; amount: string; payerName: string; bank: string };

/** Kept over a visit to the limits, a reload and a login. */
const draft = new MemberDraft<Typed>(/^\/m\/(voucherCenter|member\/limits)/, {
  key: 'depositForm',
  part: (typed) => typed,
});

function Fields({ methods }: { methods: readonly DepositMethod[] }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { data: limits } = useQuery(limitsQuery);
  const [looking, setLooking] = useState(false);
  const [typed, setTyped] = useState<Typed>(
    () => draft.value ?? { method: '', amount: '', payerName: '', bank: '' },
  );
  const [checked, setChecked] = useState(false);
  const [offered, setOffered] = useState<'no' | 'shown' | 'declined'>('no');
  useEffect(() => {
    if (typed.method || typed.amount) draft.keep(typed);
  }, [typed]);

  const method =
    methods.find(({ code, open }) => code === typed.method && open) ??
    methods.find(({ open }) => open);
  const { currency, decimals } = useCurrencyOf(method?.currency ?? methods[0]?.currency);
  const check = useAmountCheck(currency, decimals);
  const limit = tightestLimit(limits?.limits ?? []);

  const { submit, busy, error, errorsOf, clearErrors } = useSubmit({
    send: createDeposit,
    fields: ['amount', 'method', 'bank'],
    onDone: async ({ id }) => {
      draft.drop();
      setTyped({ ...typed, amount: '' });
      void cache.invalidateQueries({ queryKey: depositsKey });
      void cache.invalidateQueries({ queryKey: limitsQuery.queryKey });
      navigate(orderPath(id));
    },
  });

  function change(part: Partial<Typed>): void {
    setTyped({ ...typed, ...part });
    setChecked(false);
    clearErrors();
  }

  const bounds = method && { min: String(method.min), max: String(method.max) };
  const { amount, error: wrong } = check(typed.amount, bounds);
  const tooMuch = limit && amount && compareAmounts(amount, String(limit.left)) > 0;
  const amountErrors = !checked
    ? errorsOf('amount')
    : wrong
      ? [wrong]
      : tooMuch
        ? [t`This is more than your own limit leaves.`]
        : errorsOf('amount');

  /** Waits for the list of deposits. Without it, this may be the first deposit. */
  async function isFirst(): Promise<boolean> {
    setLooking(true);
    try {
      const { pages } = await cache.ensureInfiniteQueryData(depositListQuery);
      return pages[0]?.list.length === 0;
    } catch {
      return true;
    } finally {
      setLooking(false);
    }
  }

  async function send(declined: boolean): Promise<void> {
    setChecked(true);
    if (!method || !amount || tooMuch || looking) return;
    if (!limit && !declined && (await isFirst())) {
      setOffered('shown');
      return;
    }
    const { payerName, bank } = typed;
    await submit({
      kind: method.kind,
      method: method.code,
      amount,
      ...(method.kind === 'mt' && payerName.trim() && { payerName: payerName.trim() }),
      ...(method.banks.some(({ code }) => code === bank) && { bank }),
    });
  }

  const quick = method ? quickAmounts(method) : [];
  const shown = method && (readAmount(typed.amount, decimals) ?? '0');
  const fee = method && shown ? feeOf(shown, method, decimals) : '0';
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        void send(offered === 'declined');
      }}
    >
      <Methods
        methods={methods}
        value={method?.code ?? null}
        onChange={(code) => change({ method: code, bank: '' })}
      />
      {errorsOf('method').map((text) => (
        <FormError key={text} text={text} />
      ))}
      {method && (
        <>
          <section className={styles.card} aria-label={t`Amount`}>
            <p className={styles.range}>
              <Amount value={method.min} currency={currency} />
              {' – '}
              <Amount value={method.max} currency={currency} />
            </p>
            <AmountField
              label={t`Amount`}
              name="amount"
              value={typed.amount}
              onChange={(text) => change({ amount: text })}
              currency={currency}
              decimals={decimals}
              errors={amountErrors}
              onClear={() => change({ amount: '' })}
            />
            {quick.length > 0 && (
              <div role="group" aria-label={t`Quick amounts`} className={styles.quick}>
                {quick.map((each) => {
                  const locked = limit !== undefined && each > limit.left;
                  return (
                    <button
                      key={each}
                      type="button"
                      disabled={locked}
                      aria-pressed={shown === String(each)}
                      onClick={() => change({ amount: String(each) })}
                      className={styles.quickAmount}
                    >
                      {locked && <Icon name="lock-key" size={12} className={styles.lock} />}
                      <Amount value={each} currency={currency} />
                    </button>
                  );
                })}
              </div>
            )}
            {limit && quick.some((each) => each > limit.left) && (
              <p className={styles.lockNote}>
                <Icon name="lock-key" size={14} />
                {t`Above the limit that you have set`}
              </p>
            )}
          </section>
          {method.banks.length > 1 && (
            <SelectField
              label={t`Bank that receives the money`}
              name="bank"
              value={typed.bank || (method.banks[0]?.code ?? '')}
              onChange={(bank) => change({ bank })}
              options={method.banks.map(({ code, name }) => ({ value: code, label: name }))}
              errors={errorsOf('bank')}
            />
          )}
          {method.kind === 'mt' && (
            <Field
              label={t`Name on your bank account (optional)`}
              name="payerName"
              autoComplete="name"
              maxLength={100}
              value={typed.payerName}
              onChange={(event) => change({ payerName: event.target.value })}
            />
          )}
          {limits && (
            <LimitBar
              limit={limit}
              order={tooMuch ? '0' : (shown ?? '0')}
              currency={currency}
              decimals={decimals}
            />
          )}
          <Dock>
            {error && <FormError text={error} />}
            <div className={styles.sum}>
              <span>
                {t`Fee`} <Amount value={fee} currency={currency} />
              </span>
              <span>
                {t`Credited`}{' '}
                <b>
                  <Amount
                    value={
                      compareAmounts(fee, shown ?? '0') > 0
                        ? '0'
                        : minus(shown ?? '0', fee, decimals)
                    }
                    currency={currency}
                  />
                </b>
              </span>
            </div>
            <Button
              type="submit"
              full
              busy={busy || looking}
              icon={method.kind === 'qr' ? 'qr-code' : 'bank'}
            >
              {method.kind === 'qr'
                ? t`Make the payment code`
                : method.kind === 'pg'
                  ? t`Continue to payment`
                  : t`Show the bank account`}
            </Button>
          </Dock>
        </>
      )}
      <LimitOffer
        open={offered === 'shown'}
        onClose={() => setOffered('no')}
        onDecline={() => {
          setOffered('declined');
          void send(true);
        }}
      />
    </form>
  );
}
