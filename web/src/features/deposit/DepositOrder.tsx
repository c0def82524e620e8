import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import { useWalletCurrency } from '../../api/currency.ts';
import {
  cancelDeposit,
  depositQuery,
  depositsKey,
  isOpenDeposit,
  type Deposit,
} from '../../api/deposits.ts';
import { limitsQuery } from '../../api/limits.ts';
import { walletQuery } from '../../api/wallet.ts';
import { describeError } from '../../i18n/api-error.ts';
import type { Currency } from '../../lib/currency.ts';
import { formatCountdown } from '../../lib/dates.ts';
import { Link } from '../../lib/router.tsx';
import { useStartAtTop } from '../../lib/start-at-top.ts';
import { Amount } from '../../ui/Amount.tsx';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { QrCode } from '../../ui/display/QrCode.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { useSecondsLeft } from '../../ui/form/countdown.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { toast } from '../../ui/toastStore.ts';
import { useStatusNames } from './names.ts';
import { formPath, historyPath } from './paths.ts';
import { PaymentDetails } from './PaymentDetails.tsx';
import { ProofSheet } from './ProofSheet.tsx';
import { saveQr } from './save-qr.ts';
import { Steps } from './Steps.tsx';

import styles from './DepositOrder.module.css';

export function DepositOrder({ id }: { id: string }) {
  useStartAtTop();
  const query = useQuery(depositQuery(id));
  return (
    <QueryView
      query={query}
      skeleton={
        <div className={styles.column}>
          <Skeleton shape="box" height={320} />
          <Skeleton shape="box" height={240} />
        </div>
      }
    >
      {(deposit) => <Order deposit={deposit} />}
    </QueryView>
  );
}

function Order({ deposit }: { deposit: Deposit }) {
  const { currency, decimals } = useCurrencyOf(deposit.currency);
  return isOpenDeposit(deposit.status) ? (
    <OpenOrder deposit={deposit} currency={currency} decimals={decimals} />
  ) : (
    <EndedOrder deposit={deposit} currency={currency} />
  );
}

type OrderProps = { deposit: Deposit; currency: Currency };

function OpenOrder({ deposit, currency, decimals }: OrderProps & { decimals: number }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { id, amount, qr, bank, payUrl, kind, status, reference, inReview } = deposit;
  const [proving, setProving] = useState(false);
  const [asking, setAsking] = useState(false);
  const [cancelling, setCancelling] = useState(false);
  const isWaiting = status === 'WAITING' && !inReview;

  function checkText(): string {
    if (isWaiting) return t`This page follows by itself. Pay only once.`;
    return inReview
      ? t`We received a payment that does not match and are checking it. Do not pay again.`
      : t`We have your picture and compare it with our account.`;
  }

  async function cancel(): Promise<void> {
    setCancelling(true);
    try {
      await cancelDeposit(id);
    } catch (thrown) {
      toast.error(describeError(thrown));
    } finally {
      setAsking(false);
      setCancelling(false);
      void cache.invalidateQueries({ queryKey: limitsQuery.queryKey });
      await cache.invalidateQueries({ queryKey: depositsKey });
    }
  }

  async function save(): Promise<void> {
    try {
      await saveQr(qr ?? '', reference);
    } catch {
      toast.error(t`The picture could not be saved. Take a screenshot instead.`);
    }
  }

  return (
    <div className={styles.column}>
      <section className={styles.card}>
        <div className={styles.lead}>
          <div>
            <p className={styles.label}>{t`Amount to pay`}</p>
            <p className={styles.amount}>
              <Amount value={amount} currency={currency} fit />
            </p>
          </div>
          {isWaiting && <Countdown id={id} endsAt={deposit.endsAt} />}
        </div>
        {qr && !inReview && (
          <div className={styles.code}>
            <QrCode text={qr} label={t`Payment code`} size={228} />
            <p className={styles.label}>{t`Scan it with your bank's app`}</p>
          </div>
        )}
        {kind === 'pg' && !inReview && <PayPage payUrl={payUrl} />}
      </section>
      <PaymentDetails
        bank={bank}
        amount={amount}
        reference={reference}
        currency={currency}
        decimals={decimals}
      />
      <section className={styles.card} aria-label={t`Status`}>
        <div className={styles.status} role="status">
          <span className={styles.pulse} aria-hidden="true" />
          <div>
            <p className={styles.statusTitle}>
              {isWaiting ? t`Waiting for the money` : t`Being checked`}
            </p>
            <p className={styles.label}>{checkText()}</p>
          </div>
        </div>
        <Steps at={1} />
      </section>
      <div className={styles.actions}>
        {kind !== 'pg' && (
          <Button variant="secondary" size="md" icon="camera" onPress={() => setProving(true)}>
            {isWaiting ? t`I have paid` : t`Another picture`}
          </Button>
        )}
        {qr && (
          <Button variant="secondary" size="md" icon="download-simple" onPress={() => void save()}>
            {t`Save the code`}
          </Button>
        )}
        {isWaiting && (
          <Button variant="outline" size="md" onPress={() => setAsking(true)}>
            {t`Cancel the deposit`}
          </Button>
        )}
      </div>
      <ProofSheet id={id} open={proving} onClose={() => setProving(false)} />
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t`Cancel this deposit?`}
        text={t`Do not cancel it if you have already paid.`}
        actions={
          <>
            <Button full variant="secondary" onPress={() => setAsking(false)}>{t`Keep it`}</Button>
            <Button full variant="danger" busy={cancelling} onPress={() => void cancel()}>
              {t`Cancel the deposit`}
            </Button>
          </>
        }
      />
    </div>
  );
}

/** The rest of the time. The server decides when it is over. */
function Countdown({ id, endsAt }: { id: string; endsAt: number }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const seconds = useSecondsLeft(endsAt);
  useEffect(() => {
    if (seconds > 0) return;
    void cache.invalidateQueries({ queryKey: depositQuery(id).queryKey });
  }, [seconds, cache, id]);
  return (
    <p className={styles.countdown} role="timer">
      <span className={styles.label}>{seconds > 0 ? t`Time left` : t`The time is over`}</span>
      <b dir="ltr">{formatCountdown(seconds * 1000)}</b>
    </p>
  );
}

/** The gateway's page opens in a new tab, so that this page can follow. */
function PayPage({ payUrl }: { payUrl: string | undefined }) {
  const { t } = useLingui();
  if (!payUrl || !/^https?:\/\//.test(payUrl)) {
    return (
      <p className={styles.preparing} role="status">
        <Spinner /> {t`The payment page is being prepared.`}
      </p>
    );
  }
  return (
    <a href={payUrl} target="_blank" rel="noopener" className={buttonClass({ full: true })}>
      {t`Open the payment page`}
    </a>
  );
}

function EndedOrder({ deposit, currency }: OrderProps) {
  const { t } = useLingui();
  const names = useStatusNames();
  const wallet = useQuery(walletQuery).data;
  const walletCurrency = useWalletCurrency(wallet);
  const { status, amount, fee, reason, reference } = deposit;
  const isCredited = status === 'CREDITED';
  return (
    <div className={styles.column}>
      <section className={styles.card} role="status">
        <div className={styles.end} data-status={status}>
          <Icon name={isCredited ? 'check-circle-fill' : 'warning-circle-fill'} size={56} />
          <h2 className={styles.endTitle}>{names[status]}</h2>
          <p className={styles.amount}>
            <Amount value={isCredited ? amount - fee : amount} currency={currency} fit />
          </p>
          {isCredited && (
            <p className={styles.label}>
              {t`Balance`} <Amount value={wallet?.total} currency={walletCurrency} />
            </p>
          )}
          {reason && <p>{reason}</p>}
          {!isCredited && (
            <p className={styles.label}>
              {t`Have you paid? Customer service finds your money by this reference:`}{' '}
              <bdi dir="ltr">{reference}</bdi>
            </p>
          )}
        </div>
        {isCredited && <Steps at={3} />}
      </section>
      <Link to={isCredited ? '/m/game' : formPath} className={buttonClass({ full: true })}>
        {isCredited ? t`To the games` : t`New deposit`}
      </Link>
      {!isCredited && (
        <Link to="/m/service" className={buttonClass({ variant: 'secondary', full: true })}>
          {t`Customer service`}
        </Link>
      )}
      <Link to={historyPath} className={buttonClass({ variant: 'text', full: true })}>
        {t`Your deposits`}
      </Link>
    </div>
  );
}
