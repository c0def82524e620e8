import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import { describeError, errorOfThrown } from '../src/i18n/api-error.ts';
import { shortNumero } from '../src/lib/numero.ts';
import { Amount } from '../src/ui/Amount.tsx';
import { Button } from '../src/ui/Button.tsx';
import { Empty } from '../src/ui/Empty.tsx';
import { IconButton } from '../src/ui/IconButton.tsx';
import { toast } from '../src/ui/toastStore.ts';
import { lottery } from './api.ts';
import { sendToApp, usePaused } from './bridge.ts';
import {
  addTickets,
  changeTicket,
  maxChase,
  removeTicket,
  renewOdds,
  setChase,
  useCart,
  type Ticket,
} from './cart.ts';
import { useGameContext, useTranslate } from './context.ts';
import { CountInput } from './CountInput.tsx';
import { Stepper } from './Dock.tsx';
import { follow } from './followed.ts';
import { orderProblem, type OrderProblem } from './limits.ts';
import { placeOrder } from './order.ts';
import { Panel } from './Panel.tsx';
import { formatOdds } from './Picker.tsx';
import { entryText, playName } from './play-texts.ts';
import { amountText, chaseFactor, costOf } from './price.ts';
import { lastOrder } from './saved.ts';
import type { Numero } from './wire.ts';

import styles from './CartPanel.module.css';

export type CartPanelProps = {
  open: boolean;
  onClose: () => void;
  numero: Numero;
  isOpen: boolean;
};

/** Shows the tickets and the chase, and places the order. */
export function CartPanel({ open, onClose, numero, isOpen }: CartPanelProps) {
  const { t } = useLingui();
  const { game, currency, decimals, prizeMode } = useGameContext();
  const { tickets, chase, pending } = useCart();
  const paused = usePaused(({ paused: isPaused }) => isPaused);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  // The server has checked a pending order already.
  const problem = pending ? null : orderProblem(tickets, chase);
  const total = costOf(tickets, decimals) * chaseFactor(chase);

  async function loadOdds(): Promise<void> {
    renewOdds(await lottery.plays(game.gameId, 'trad', prizeMode).catch(() => []));
  }

  async function repeat(): Promise<void> {
    if (addTickets(last, numero.closeTime)) await loadOdds();
  }

  async function send(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    sendToApp({ type: 'busy', busy: true });
    try {
      const placed = await placeOrder({ numero: numero.numero, prizeMode });
      follow({ orderId: placed.orderId, gameId: game.gameId, numeros: placed.numeros });
      toast.success(t`Your bet is placed`);
      onClose();
    } catch (thrown) {
      const { code } = errorOfThrown(thrown);
      if (code === 'lottery.odds_changed') await loadOdds();
      if (code.startsWith('limits.')) sendToApp({ type: 'limit' });
      setError(describeError(thrown));
    } finally {
      setBusy(false);
      sendToApp({ type: 'busy', busy: false });
    }
  }

  const last = tickets.length === 0 ? lastOrder(game.gameId) : [];
  return (
    <Panel
      open={open}
      onClose={onClose}
      title={t`Tickets for draw ${shortNumero(pending?.numero ?? numero.numero)}`}
      footer={
        tickets.length > 0 && (
          <div className={styles.foot}>
            <div className={styles.total}>
              <span>{t`Total`}</span>
              {problem ? (
                <b>–</b>
              ) : (
                <b>
                  <Amount
                    value={amountText(total, decimals)}
                    currency={currency}
                    decimals="needed"
                  />
                </b>
              )}
            </div>
            <Button
              size="lg"
              busy={isBusy}
              disabled={paused || (!isOpen && !pending) || problem !== null}
              onPress={() => void send()}
            >
              {pending ? t`Check my order` : isOpen ? t`Place bet` : t`Closed`}
            </Button>
          </div>
        )
      }
    >
      {tickets.length === 0 ? (
        <Empty
          icon="ticket"
          title={t`The cart is empty`}
          text={t`Choose numbers and add them as a ticket.`}
          actions={
            last.length > 0 && (
              <Button size="md" variant="secondary" onPress={() => void repeat()}>
                {t`Repeat the last order`}
              </Button>
            )
          }
        />
      ) : (
        <>
          {error && (
            <p role="alert" className={styles.unknown}>
              {error}
            </p>
          )}
          {problem && <Problem problem={problem} />}
          {pending && !isBusy && (
            <p role="alert" className={styles.unknown}>
              {t`The server has not answered. Check the order: it counts once only.`}
            </p>
          )}
          <ul className={styles.list}>
            {tickets.map((ticket) => (
              <TicketRow key={ticket.id} ticket={ticket} disabled={pending !== null} />
            ))}
          </ul>
          <ChaseFields disabled={pending !== null} chase={chase} onChange={setChase} />
        </>
      )}
    </Panel>
  );
}

/** Says why an order is too large. */
function Problem({ problem }: { problem: OrderProblem }) {
  const { t } = useLingui();
  const { max } = problem;
  return (
    <p role="alert" className={styles.unknown}>
      {problem.kind === 'bets'
        ? t`An order can have at most ${max} bets in all draws together. This one has ${problem.count}.`
        : problem.kind === 'lines'
          ? t`An order can have at most ${max} lines in all draws together. This one has ${problem.count}.`
          : t`A ticket can have at most ${max} times the stake, also in the last draw of a chase.`}
    </p>
  );
}

function TicketRow({ ticket, disabled }: { ticket: Ticket; disabled: boolean }) {
  const { t, i18n } = useLingui();
  const translate = useTranslate();
  const { game, currency, decimals } = useGameContext();
  const name = translate(playName(game.type, ticket.playCode));
  return (
    <li className={styles.ticket}>
      <div className={styles.words}>
        <b>{name}</b>
        <span className={styles.selection}>
          <bdi>{selectionText(ticket.selection, translate)}</bdi>
        </span>
        <span className={styles.detail}>
          {t`${plural(ticket.lines, { one: '# line', other: '# lines' })}`}
          {' · '}
          <Amount
            value={amountText(costOf([ticket], decimals), decimals)}
            currency={currency}
            decimals="needed"
          />
          {ticket.odds !== undefined && (
            <>
              {' · '}
              <bdi dir="ltr">× {formatOdds(ticket.odds, i18n.locale)}</bdi>
            </>
          )}
        </span>
      </div>
      <fieldset className={styles.change} disabled={disabled}>
        <Stepper
          value={ticket.multiple}
          onChange={(multiple) => changeTicket(ticket.id, { multiple })}
        />
        <IconButton
          icon="x"
          iconSize={18}
          label={t`Remove ${name}`}
          onPress={() => removeTicket(ticket.id)}
        />
      </fieldset>
    </li>
  );
}

const maxShownEntries = 12;

/** Returns a selection as text. It omits entries beyond a limit. */
export function selectionText(
  selection: string,
  translate: Parameters<typeof entryText>[1],
): string {
  const entries = selection.split(',');
  const shown = entries.slice(0, maxShownEntries).map((entry) => entryText(entry, translate));
  return shown.join(', ') + (entries.length > maxShownEntries ? ' …' : '');
}

const maxChaseMultiplier = 10;

type ChaseFieldsProps = {
  chase: { count: number; multiplier: number; stopOnWin: boolean };
  onChange: (chase: ChaseFieldsProps['chase']) => void;
  disabled: boolean;
};

function ChaseFields({ chase, onChange, disabled }: ChaseFieldsProps) {
  const { t } = useLingui();
  return (
    <fieldset className={styles.chase} disabled={disabled}>
      <legend className={styles.legend}>{t`Chase: bet on the next draws too`}</legend>
      <label className={styles.field}>
        {t`Draws`}
        <CountInput
          value={chase.count}
          max={maxChase}
          onChange={(count) => onChange({ ...chase, count })}
        />
      </label>
      <label className={styles.field}>
        {t`Times the stake before`}
        <CountInput
          value={chase.multiplier}
          max={maxChaseMultiplier}
          onChange={(multiplier) => onChange({ ...chase, multiplier })}
        />
      </label>
      {chase.count > 1 && (
        <>
          <label className={styles.check}>
            <input
              type="checkbox"
              checked={chase.stopOnWin}
              onChange={({ target }) => onChange({ ...chase, stopOnWin: target.checked })}
            />
            {t`Stop after a win`}
          </label>
          <p className={styles.hint}>
            {t`All draws are paid now. Stakes of cancelled draws come back.`}
          </p>
        </>
      )}
    </fieldset>
  );
}
