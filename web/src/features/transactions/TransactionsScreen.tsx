import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import {
  memberWalletsQuery,
  movementKinds,
  movementsFile,
  movementsQuery,
  type Movement,
  type MovementFilter,
  type MovementKind,
  type MovementPage,
} from '../../api/transactions.ts';
import { artUrl } from '../../lib/art.ts';
import type { Currency } from '../../lib/currency.ts';
import { cx } from '../../lib/cx.ts';
import { daysBack, formatTime, rangeOfDays } from '../../lib/dates.ts';
import { Link } from '../../lib/router.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { BarActions } from '../../ui/BarActions.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Chips } from '../../ui/display/Chips.tsx';
import { MoneyLinks } from '../../ui/display/MoneyLinks.tsx';
import { PagedList } from '../../ui/display/PagedList.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { DateRange } from '../../ui/form/DateRange.tsx';
import { SelectField } from '../../ui/form/SelectField.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './TransactionsScreen.module.css';

const maxDays = 366;
const spans = { '7': 6, '30': 29, '92': 91 } as const;
type Span = keyof typeof spans | 'own';

/** Every movement of the member's wallets. */
export default function TransactionsScreen() {
  const { t } = useLingui();
  const kinds = useKindNames();
  const wallets = useWalletNames();
  const [now] = useState(() => Date.now());
  const [span, setSpan] = useState<Span>('30');
  const [own, setOwn] = useState({ from: '', to: '' });
  const [kind, setKind] = useState<MovementKind | ''>('');
  const [wallet, setWallet] = useState('');
  const [saving, setSaving] = useState(false);
  const range =
    span === 'own' ? rangeOfDays(own.from, own.to, maxDays) : daysBack(spans[span], now);

  async function save(filter: MovementFilter): Promise<void> {
    setSaving(true);
    try {
      const url = URL.createObjectURL(await movementsFile(filter));
      const link = document.createElement('a');
      link.href = url;
      link.download = 'transactions.csv';
      link.click();
      URL.revokeObjectURL(url);
    } catch {
      toast.error(t`The file could not be loaded. Please try again.`);
    } finally {
      setSaving(false);
    }
  }

  return (
    <div className={styles.screen}>
      {range && (
        <BarActions>
          <IconButton
            icon="download-simple"
            label={t`Save as a file`}
            busy={saving}
            onPress={() => void save({ ...range, kind, wallet })}
          />
        </BarActions>
      )}
      <MoneyLinks />
      <Chips
        label={t`Period`}
        value={span}
        onChange={setSpan}
        options={[
          { value: '7', label: t`7 days` },
          { value: '30', label: t`30 days` },
          { value: '92', label: t`92 days` },
          { value: 'own', label: t`Own range` },
        ]}
      />
      {span === 'own' && (
        <DateRange {...own} onChange={setOwn} maxDays={maxDays} invalid={range === null} />
      )}
      <SelectField
        label={t`Kind`}
        value={kind}
        onChange={(next) => setKind(movementKinds.find((each) => each === next) ?? '')}
        options={[
          { value: '', label: t`All kinds` },
          ...movementKinds.map((each) => ({ value: each, label: kinds[each] })),
        ]}
      />
      <SelectField
        label={t`Wallet`}
        value={wallet}
        onChange={setWallet}
        options={[
          { value: '', label: t`All wallets` },
          ...Array.from(wallets, ([code, name]) => ({ value: code, label: name })),
        ]}
      />
      {range && <Movements filter={{ ...range, kind, wallet }} wallets={wallets} />}
    </div>
  );
}

function useKindNames(): Record<MovementKind, string> {
  const { t } = useLingui();
  return {
    deposit: t`Deposit`,
    withdrawal: t`Withdrawal`,
    bet: t`Stake`,
    win: t({ message: 'Win', context: 'movement' }),
    reward: t`Reward`,
    refund: t`Refund`,
    adjustment: t`Correction`,
    transfer: t`Wallet transfer`,
    other: t`Other`,
  };
}

/** The names of the member's wallets by their codes. */
function useWalletNames(): ReadonlyMap<string, string> {
  const { t } = useLingui();
  const { data } = useQuery(memberWalletsQuery);
  const vendors = (data?.wallets ?? []).filter(({ code }) => code !== 'main');
  return new Map([
    ['main', t`Main wallet`],
    ['bonus', t`Bonus`],
    ...vendors.map(({ code, name }): [string, string] => [code, name]),
  ]);
}

type WalletNames = { wallets: ReadonlyMap<string, string> };

function Movements({ filter, wallets }: { filter: MovementFilter } & WalletNames) {
  const { t } = useLingui();
  const query = useInfiniteQuery(movementsQuery(filter));
  const { currency } = useCurrencyOf(query.data?.pages[0]?.currency);
  return (
    <>
      {query.data?.pages[0] && <Totals page={query.data.pages[0]} currency={currency} />}
      <PagedList
        query={query}
        label={t`Transactions`}
        rowsOf={({ list }) => list ?? []}
        keyOf={({ id }) => id}
        renderRow={(movement) => <Row movement={movement} currency={currency} wallets={wallets} />}
        skeleton={<Skeleton shape="box" height={64} />}
        empty={
          <Empty
            art={artUrl('spots/empty.webp')}
            icon="receipt"
            title={t`No transactions here`}
            text={t`Nothing fits this period and kind.`}
            actions={
              <Link to="/m/voucherCenter" className={buttonClass({ size: 'md' })}>
                {t`Deposit`}
              </Link>
            }
          />
        }
      />
    </>
  );
}

/** The totals of the period for all kinds, and the net deposits since the account was opened. */
function Totals({ page, currency }: { page: MovementPage; currency: Currency }) {
  const { t } = useLingui();
  const { totals, lifetime } = page;
  if (!totals || !lifetime) return null;
  return (
    <dl className={styles.totals} aria-label={t`Totals`}>
      <Total name={t`Staked`} value={totals.staked} currency={currency} />
      <Total name={t`Won`} value={totals.won} currency={currency} />
      <Total name={t`Result`} value={totals.result} currency={currency} signed />
      <Total name={t`Deposits`} value={totals.deposits} currency={currency} />
      <Total name={t`Withdrawals`} value={totals.withdrawals} currency={currency} />
      <Total name={t`Net deposits since the start`} value={lifetime.net} currency={currency} />
    </dl>
  );
}

type TotalProps = { name: string; value: number; currency: Currency; signed?: boolean };

function Total({ name, value, currency, signed }: TotalProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={cx(signed && value > 0 && styles.in, signed && value < 0 && styles.lost)}>
        <Amount value={value} currency={currency} {...(signed && { signed })} />
      </dd>
    </div>
  );
}

type RowProps = { movement: Movement; currency: Currency } & WalletNames;

function Row({ movement, currency, wallets }: RowProps) {
  const { t, i18n } = useLingui();
  const kinds = useKindNames();
  const { at, kind, wallet, amount, balance, reference } = movement;
  return (
    <article className={styles.row}>
      <div className={styles.words}>
        <p className={styles.name}>
          {kinds[kind]}
          {wallet !== 'main' && <> · {wallets.get(wallet) ?? wallet}</>}
        </p>
        <p className={styles.detail}>
          {formatTime(at, i18n.locale)}
          {reference && (
            <>
              {' · '}
              <bdi dir="ltr">{reference}</bdi>
            </>
          )}
        </p>
      </div>
      <div className={styles.amounts}>
        <b className={cx(amount > 0 && styles.in)}>
          <Amount value={amount} currency={currency} signed />
        </b>
        <span className={styles.detail}>
          {t`Balance`} <Amount value={balance} currency={currency} />
        </span>
      </div>
    </article>
  );
}
