import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import { describeError } from '../src/i18n/api-error.ts';
import { formatTime } from '../src/lib/dates.ts';
import { shortNumero } from '../src/lib/numero.ts';
import { Amount } from '../src/ui/Amount.tsx';
import { Button } from '../src/ui/Button.tsx';
import { Chips } from '../src/ui/display/Chips.tsx';
import { QueryView } from '../src/ui/display/QueryView.tsx';
import { Empty } from '../src/ui/Empty.tsx';
import { Skeleton } from '../src/ui/Skeleton.tsx';
import { toast } from '../src/ui/toastStore.ts';
import { lottery } from './api.ts';
import { selectionText } from './CartPanel.tsx';
import { useGameContext, useTranslate } from './context.ts';
import { Panel } from './Panel.tsx';
import { playName } from './play-texts.ts';
import { usePages } from './usePages.ts';
import type { Bet, BetState, Order } from './wire.ts';

import styles from './MyBets.module.css';

type Filter = 'all' | 'open' | 'won';

/** Lists the player's orders of this game. `version` changes when an order may have changed. */
export function MyBets({ version }: { version: string }) {
  const { t } = useLingui();
  const { game } = useGameContext();
  const [filter, setFilter] = useState<Filter>('all');
  const state: BetState | undefined = filter === 'all' ? undefined : filter;
  const orders = usePages(`${game.gameId} ${filter} ${version}`, (cursor) =>
    lottery.orders({ gameId: game.gameId, state, cursor }),
  );
  return (
    <div className={styles.view}>
      <Chips
        label={t`Show`}
        options={[
          { value: 'all', label: t`All` },
          { value: 'open', label: t`Open` },
          { value: 'won', label: t`Won` },
        ]}
        value={filter}
        onChange={setFilter}
      />
      <QueryView
        query={orders}
        skeleton={<Skeleton shape="box" height={120} />}
        isEmpty={(list) => list.length === 0}
        empty={<Empty icon="ticket" title={t`No bets here yet`} />}
      >
        {(list) => (
          <>
            <ul className={styles.list}>
              {list.map((order) => (
                <OrderCard key={order.orderId} order={order} onCancelled={orders.refetch} />
              ))}
            </ul>
            {orders.hasMore && (
              <Button
                variant="secondary"
                size="md"
                full
                busy={orders.isFetching}
                onPress={orders.more}
              >
                {t`Show more`}
              </Button>
            )}
          </>
        )}
      </QueryView>
    </div>
  );
}

function OrderCard({ order, onCancelled }: { order: Order; onCancelled: () => Promise<void> }) {
  const { t, i18n } = useLingui();
  const { currency } = useGameContext();
  const [isConfirming, setConfirming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const numeros = new Set(order.bets.map(({ numero }) => numero)).size;
  const open = order.bets.filter(({ state }) => state === 'open');

  async function cancel(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      const { returned } = await lottery.cancel(order.orderId);
      if (returned > 0) toast.success(t`Cancelled. The stakes are back in your wallet.`);
      else toast.error(t`These draws are closed. Nothing was cancelled.`);
      setConfirming(false);
      await onCancelled();
    } catch (thrown) {
      setError(describeError(thrown));
    } finally {
      setBusy(false);
    }
  }

  return (
    <li className={styles.order}>
      <div className={styles.head}>
        <span>{formatTime(order.createdAt, i18n.locale)}</span>
        {numeros > 1 && <span>{t`Chase of ${numeros} draws`}</span>}
        <b>
          <Amount value={order.total} currency={currency} decimals="needed" />
        </b>
      </div>
      <ul className={styles.bets}>
        {order.bets.map((bet) => (
          <BetRow key={bet.betId} bet={bet} />
        ))}
      </ul>
      {open.length > 0 && (
        <Button variant="outline" size="sm" onPress={() => setConfirming(true)}>
          {t`Cancel open draws`}
        </Button>
      )}
      <Panel
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={t`Cancel this order?`}
        footer={
          <Button variant="danger" full busy={isBusy} onPress={() => void cancel()}>
            {t`Cancel the order`}
          </Button>
        }
      >
        <p>{t`Stakes on draws that are not closed yet come back to your wallet.`}</p>
        {error && <p role="alert">{error}</p>}
      </Panel>
    </li>
  );
}

function BetRow({ bet }: { bet: Bet }) {
  const { t } = useLingui();
  const translate = useTranslate();
  const { game, currency } = useGameContext();
  const name = shortNumero(bet.numero);
  const states: Record<BetState, string> = {
    open: t`Open`,
    won: t`Won`,
    lost: t`Not won`,
    void: t`Void`,
    cancelled: t`Cancelled`,
  };
  return (
    <li className={styles.bet}>
      <span className={styles.words}>
        <b>
          {translate(playName(game.type, bet.playCode))}
          {' · '}
          {t`Draw ${name}`}
        </b>
        <span className={styles.selection}>
          <bdi>{selectionText(bet.selection, translate)}</bdi>
        </span>
        <span className={styles.detail}>
          {t`${plural(bet.lines, { one: '# line', other: '# lines' })}`}
          {' · '}
          <Amount value={bet.amount} currency={currency} decimals="needed" />
        </span>
      </span>
      <span className={styles.state} data-state={bet.state}>
        {states[bet.state]}
        {bet.state === 'won' && (
          <b>
            <Amount value={bet.payout} currency={currency} decimals="needed" />
          </b>
        )}
        {bet.rebate > 0 && (
          <span className={styles.detail}>
            {t`Rebate`} <Amount value={bet.rebate} currency={currency} decimals="needed" />
          </span>
        )}
      </span>
    </li>
  );
}
