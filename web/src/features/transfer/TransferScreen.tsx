import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import { memberKey } from '../../api/member.ts';
import { memberWalletsQuery, transferMoney, type MemberWallet } from '../../api/transactions.ts';
import { Link } from '../../lib/router.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { MoneyLinks } from '../../ui/display/MoneyLinks.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { AmountField, useAmountCheck } from '../../ui/form/AmountField.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { SelectField } from '../../ui/form/SelectField.tsx';
import { useSubmit } from '../../ui/form/useSubmit.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './TransferScreen.module.css';

/** The member's wallets, and transfers between them. */
export default function TransferScreen() {
  const { t } = useLingui();
  const query = useQuery(memberWalletsQuery);
  return (
    <div className={styles.screen}>
      <QueryView query={query} skeleton={<Skeleton shape="box" height={240} />}>
        {({ wallets, currency }) => (
          <div className={styles.column}>
            <WalletList wallets={wallets ?? []} code={currency} />
            <MoneyLinks />
            {(wallets ?? []).length > 1 ? (
              <TransferForm wallets={wallets ?? []} code={currency} />
            ) : (
              <p className={styles.note}>
                {t`All games use your main wallet. There is nothing to move.`}
              </p>
            )}
            <Link
              to="/m/member/transactions"
              className={buttonClass({ variant: 'secondary', full: true })}
            >
              {t`Transactions`}
            </Link>
          </div>
        )}
      </QueryView>
    </div>
  );
}

type WalletsProps = { wallets: readonly MemberWallet[]; code: string };

function useWalletName(): (wallet: MemberWallet) => string {
  const { t } = useLingui();
  return ({ code, name }) => (code === 'main' ? t`Main wallet` : name);
}

function WalletList({ wallets, code }: WalletsProps) {
  const { t } = useLingui();
  const nameOf = useWalletName();
  const { currency } = useCurrencyOf(code);
  return (
    <dl className={styles.wallets} aria-label={t`Wallets`}>
      {wallets.map((wallet) => (
        <div key={wallet.code}>
          <dt>{nameOf(wallet)}</dt>
          <dd>
            <Amount value={wallet.balance} currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function TransferForm({ wallets, code }: WalletsProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const nameOf = useWalletName();
  const { currency, decimals } = useCurrencyOf(code);
  const check = useAmountCheck(currency, decimals);
  const [from, setFrom] = useState('main');
  const [to, setTo] = useState(wallets[1]?.code ?? 'main');
  const [typed, setTyped] = useState('');
  const [checked, setChecked] = useState(false);
  const { submit, busy, error, errorsOf, clearErrors } = useSubmit({
    send: transferMoney,
    fields: ['from', 'to', 'amount'],
    onDone: async () => {
      setTyped('');
      setChecked(false);
      toast.success(t`The money has been moved`);
      await cache.invalidateQueries({ queryKey: memberKey });
    },
  });
  const balance = wallets.find((wallet) => wallet.code === from)?.balance ?? 0;
  const { amount, error: wrong } = check(typed, { max: String(balance) });
  const options = wallets.map((wallet) => ({ value: wallet.code, label: nameOf(wallet) }));

  function send(event: SubmitEvent): void {
    event.preventDefault();
    setChecked(true);
    if (amount && from !== to) void submit({ from, to, amount });
  }

  return (
    <form className={styles.column} noValidate onSubmit={send}>
      <SelectField
        label={t`From`}
        name="from"
        value={from}
        onChange={(next) => {
          if (next === to) setTo(from);
          setFrom(next);
          clearErrors();
        }}
        options={options}
        errors={errorsOf('from')}
      />
      <SelectField
        label={t`To`}
        name="to"
        value={to}
        onChange={(next) => {
          if (next === from) setFrom(to);
          setTo(next);
          clearErrors();
        }}
        options={options}
        errors={errorsOf('to')}
      />
      <AmountField
        label={t`Amount`}
        name="amount"
        value={typed}
        onChange={(text) => {
          setTyped(text);
          setChecked(false);
          clearErrors();
        }}
        currency={currency}
        decimals={decimals}
        errors={checked && wrong ? [wrong] : errorsOf('amount')}
      />
      {error && <FormError text={error} />}
      <Button type="submit" full busy={busy}>
        {t`Move the money`}
      </Button>
    </form>
  );
}
