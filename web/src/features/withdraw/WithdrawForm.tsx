import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type SubmitEvent } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import { MemberDraft } from '../../api/member-draft.ts';
import { securityQuery } from '../../api/security.ts';
import { walletQuery } from '../../api/wallet.ts';
import {
  bankCardsQuery,
  isOpenWithdrawal,
  requestWithdrawal,
  withdrawalListQuery,
  withdrawalsKey,
  withdrawTermsQuery,
  type BankCard,
  type WithdrawTerms,
} from '../../api/withdrawals.ts';
import { compareAmounts, fromMinorUnits, toMinor } from '../../lib/decimal-text.ts';
import { Link, navigate } from '../../lib/router.tsx';
import { readAmount } from '../../lib/typed-amount.ts';
import { Amount } from '../../ui/Amount.tsx';
import { Button } from '../../ui/Button.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Dock } from '../../ui/Dock.tsx';
import { AmountField, useAmountCheck } from '../../ui/form/AmountField.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { useSubmit } from '../../ui/form/useSubmit.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { CardChoice } from './CardChoice.tsx';
import { IdentityFirst } from './IdentityFirst.tsx';
import { useStatusNames } from './names.ts';
import { cardForWithdrawalPath, withdrawalPath } from './paths.ts';
import { PaymentSheet } from './PaymentSheet.tsx';
import { Sums, TurnoverCard } from './TermsView.tsx';

import styles from './WithdrawScreen.module.css';

export function WithdrawForm() {
  const terms = useQuery(withdrawTermsQuery);
  return (
    <>
      <OpenWithdrawals />
      <QueryView
        query={terms}
        className={styles.column}
        skeleton={
          <div className={styles.column}>
            <Skeleton shape="box" height={96} />
            <Skeleton shape="box" height={152} />
            <Skeleton shape="box" height={160} />
          </div>
        }
      >
        {(loaded) => (
          <>
            <Sums terms={loaded} />
            {loaded.identity === 'VERIFIED' ? (
              <WithCards terms={loaded} />
            ) : (
              <IdentityFirst state={loaded.identity} />
            )}
            <TurnoverCard terms={loaded} />
          </>
        )}
      </QueryView>
    </>
  );
}

function OpenWithdrawals() {
  const { t } = useLingui();
  const names = useStatusNames();
  const { data } = useInfiniteQuery(withdrawalListQuery);
  const open = (data?.pages[0]?.list ?? []).filter(({ status }) => isOpenWithdrawal(status));
  const { currency } = useCurrencyOf(open[0]?.currency);
  if (open.length === 0) return null;
  return (
    <ul className={styles.open} aria-label={t`Open withdrawals`}>
      {open.map(({ id, amount, status }) => (
        <li key={id}>
          <Link to={withdrawalPath(id)} className={styles.openRow}>
            <Icon name="clock-countdown-fill" className={styles.openIcon} />
            <span className={styles.openWords}>{names[status]}</span>
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

function WithCards({ terms }: { terms: WithdrawTerms }) {
  const { t } = useLingui();
  const cards = useQuery(bankCardsQuery);
  return (
    <QueryView
      query={cards}
      className={styles.column}
      skeleton={<Skeleton shape="box" height={152} />}
    >
      {({ list }) =>
        list.length === 0 ? (
          <Link to={cardForWithdrawalPath} className={styles.addFirst}>
            <Icon name="plus-bold" size={24} />
            <span>{t`Add a bank account to withdraw to`}</span>
          </Link>
        ) : (
          <Fields terms={terms} cards={list} />
        )
      }
    </QueryView>
  );
}

type Typed = { cardId: string; amount: string };

/** Kept over a visit to the cards, the identity check or the security settings, a reload and a login. */
const draft = new MemberDraft<Typed>(/^\/m\/(withdraw|member\/(bankCards|kyc|security))$/, {
  key: 'withdrawForm',
  part: (typed) => typed,
});

function Fields({ terms, cards }: { terms: WithdrawTerms; cards: readonly BankCard[] }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { data: security } = useQuery(securityQuery);
  const { currency, decimals } = useCurrencyOf(terms.currency);
  const check = useAmountCheck(currency, decimals);
  const [typed, setTyped] = useState<Typed>(() => draft.value ?? { cardId: '', amount: '' });
  const [checked, setChecked] = useState(false);
  const [paying, setPaying] = useState(false);
  useEffect(() => {
    if (typed.cardId || typed.amount) draft.keep(typed);
  }, [typed]);

  const card =
    cards.find(({ id }) => id === typed.cardId) ?? cards.find((each) => each.default) ?? cards[0];
  const { submit, busy, error, errorsOf, clearErrors } = useSubmit({
    send: requestWithdrawal,
    contentOf: ({ cardId, amount }) => [cardId, amount],
    fields: ['amount', 'cardId', 'paymentPassword'],
    onDone: ({ id }) => {
      draft.drop();
      setPaying(false);
      setTyped({ ...typed, amount: '' });
      void cache.invalidateQueries({ queryKey: withdrawalsKey });
      void cache.invalidateQueries({ queryKey: walletQuery.queryKey });
      navigate(withdrawalPath(id));
    },
  });
  // An error of another field than the password belongs to the form behind the sheet, so the sheet closes.
  const isOther = error !== '' || errorsOf('amount').length > 0 || errorsOf('cardId').length > 0;
  if (isOther && paying) setPaying(false);

  function change(part: Partial<Typed>): void {
    setTyped({ ...typed, ...part });
    setChecked(false);
    clearErrors();
  }

  const { min, max, fee, available } = terms;
  const maxAmount = Math.min(max, available);
  const { amount, error: wrong } = check(typed.amount, {
    min: String(min),
    max: String(maxAmount),
  });
  const belowFee = amount !== undefined && compareAmounts(amount, String(fee)) <= 0;
  const amountErrors = !checked
    ? errorsOf('amount')
    : wrong
      ? [wrong]
      : belowFee
        ? [t`The fee is not less than this amount.`]
        : errorsOf('amount');
  const isBlocked = !terms.open || available <= 0;
  const shown = readAmount(typed.amount, decimals) ?? '0';
  const net = (toMinor(shown, decimals) ?? 0n) - (toMinor(String(fee), decimals) ?? 0n);
  const paid = fromMinorUnits(net > 0n ? net : 0n, decimals);

  function ask(event: SubmitEvent): void {
    event.preventDefault();
    setChecked(true);
    clearErrors();
    if (amount && !belowFee && card && !isBlocked) setPaying(true);
  }

  async function send(paymentPassword: string): Promise<void> {
    if (!card || !amount) return;
    await submit({ cardId: card.id, amount, paymentPassword });
  }

  const { left } = terms;
  return (
    <form className={styles.form} noValidate onSubmit={ask}>
      <CardChoice cards={cards} value={card?.id ?? ''} onChange={(cardId) => change({ cardId })} />
      {errorsOf('cardId').map((text) => (
        <FormError key={text} text={text} />
      ))}
      <section className={styles.card} aria-label={t`Amount`}>
        <p className={styles.range}>
          {max > available ? (
            <>
              {t`At least`} <Amount value={min} currency={currency} />
            </>
          ) : (
            <>
              <Amount value={min} currency={currency} />
              {' – '}
              <Amount value={max} currency={currency} />
            </>
          )}
        </p>
        <AmountField
          label={t`Amount`}
          name="amount"
          value={typed.amount}
          onChange={(text) => change({ amount: text })}
          currency={currency}
          decimals={decimals}
          errors={amountErrors}
          disabled={isBlocked}
          trailing={
            <button
              type="button"
              disabled={isBlocked}
              className={styles.maximum}
              onClick={() => change({ amount: String(maxAmount) })}
            >
              {t`Maximum`}
            </button>
          }
        />
        <p className={styles.facts}>
          <span>
            {t`Fee`} <Amount value={fee} currency={currency} />
          </span>
          <span>{t`Left today: ${left}`}</span>
        </p>
        {!terms.open && (
          <p className={styles.warning}>
            <Icon name="warning-circle-fill" size={16} />
            {t`No more withdrawals are possible today. Please come back tomorrow.`}
          </p>
        )}
      </section>
      <Dock>
        {error && <FormError text={error} />}
        <div className={styles.sum}>
          <span>
            {t`You receive`}
            {card && (
              <>
                {' · '}
                <bdi dir="ltr">
                  {card.bank} •• {card.lastFour}
                </bdi>
              </>
            )}
          </span>
          <b>
            <Amount value={paid} currency={currency} />
          </b>
        </div>
        <Button type="submit" full disabled={isBlocked} busy={busy}>
          {t`Continue`}
        </Button>
      </Dock>
      {card && (
        <PaymentSheet
          open={paying}
          onClose={() => setPaying(false)}
          isSet={security?.paymentPassword}
          busy={busy}
          errors={errorsOf('paymentPassword')}
          onType={clearErrors}
          onDone={send}
        >
          <p className={styles.order}>
            <span className={styles.orderIcon}>
              <Icon name="bank" size={22} />
            </span>
            <span className={styles.orderWords}>
              <b dir="ltr">
                {card.bank} •••• {card.lastFour}
              </b>
              <span dir="auto">{card.holder}</span>
            </span>
            <b>
              <Amount value={paid} currency={currency} />
            </b>
          </p>
        </PaymentSheet>
      )}
    </form>
  );
}
