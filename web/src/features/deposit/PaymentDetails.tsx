import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import type { Deposit } from '../../api/deposits.ts';
import type { Currency } from '../../lib/currency.ts';
import { cx } from '../../lib/cx.ts';
import { Amount } from '../../ui/Amount.tsx';
import { CopyButton } from '../../ui/display/CopyButton.tsx';

import styles from './DepositOrder.module.css';

export type PaymentDetailsProps = Pick<Deposit, 'bank' | 'amount' | 'reference'> & {
  currency: Currency;
  decimals: number;
};

/** What the payer types into the bank's app. */
export function PaymentDetails(props: PaymentDetailsProps) {
  const { bank, amount, reference, currency, decimals } = props;
  const { t } = useLingui();
  return (
    <dl className={styles.details}>
      {bank && (
        <>
          <Row name={t`Bank`} copy={bank.name}>
            {bank.name}
          </Row>
          <Row name={t`Account number`} copy={bank.number}>
            <bdi dir="ltr">{bank.number}</bdi>
          </Row>
          <Row name={t`Account holder`} copy={bank.holder}>
            {bank.holder}
          </Row>
          <Row name={t`Amount`} copy={amount.toFixed(decimals)}>
            <Amount value={amount} currency={currency} />
          </Row>
        </>
      )}
      <Row
        name={bank ? t`Transfer note` : t`Reference`}
        copy={reference}
        note={bank ? t`Do not change this. We use it to match your deposit.` : undefined}
      >
        <bdi dir="ltr">{reference}</bdi>
      </Row>
    </dl>
  );
}

type RowProps = { name: string; copy: string; note?: string | undefined; children: ReactNode };

function Row({ name, copy, note, children }: RowProps) {
  return (
    <div className={cx(styles.row, note && styles.noted)}>
      <dt className={styles.label}>{name}</dt>
      <dd className={styles.value}>{children}</dd>
      <dd className={styles.copy}>
        <CopyButton text={copy} label={name} iconOnly />
      </dd>
      {note && <dd className={styles.note}>{note}</dd>}
    </div>
  );
}
