import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import { Amount } from '../src/ui/Amount.tsx';
import { Button } from '../src/ui/Button.tsx';
import { IconButton } from '../src/ui/IconButton.tsx';
import { useCart } from './cart.ts';
import { CartPanel } from './CartPanel.tsx';
import { useGameContext } from './context.ts';
import { CountInput } from './CountInput.tsx';
import { maxMultiple } from './paste.ts';
import type { Numero } from './wire.ts';

import styles from './Dock.module.css';

export type DockProps = {
  numero: Numero;
  isOpen: boolean;
  lines: number;
  /** The cost of the picks. */
  cost: string;
  /** Why the picks cannot be added. */
  problem: string | null;
  multiple: number;
  onMultiple: (multiple: number) => void;
  onAdd: () => void;
};

/** The bar at the bottom: the cart, the cost of the picks, the multiple, and the button that adds them. */
export function Dock(props: DockProps) {
  const { numero, isOpen, lines, cost, problem, multiple, onMultiple, onAdd } = props;
  const { t } = useLingui();
  const { currency } = useGameContext();
  const tickets = useCart((cart) => cart.tickets.length);
  const [isCartOpen, setCartOpen] = useState(false);
  const showsCart = lines === 0 && tickets > 0;
  return (
    <>
      <div className={styles.dock}>
        <div className={styles.inner}>
          <IconButton
            icon="ticket"
            label={t`Cart`}
            badge={tickets}
            onPress={() => setCartOpen(true)}
          />
          <div className={styles.sum}>
            {problem ? (
              <b className={styles.problem}>{problem}</b>
            ) : (
              <b>
                <Amount value={cost} currency={currency} decimals="needed" short />
              </b>
            )}
            <span>{t`${plural(lines, { one: '# line', other: '# lines' })}`}</span>
          </div>
          <Stepper value={multiple} onChange={onMultiple} />
          {showsCart ? (
            <Button size="md" onPress={() => setCartOpen(true)}>{t`Open cart`}</Button>
          ) : (
            <Button size="md" disabled={lines === 0 || !isOpen || problem !== null} onPress={onAdd}>
              {t`Add ticket`}
            </Button>
          )}
        </div>
      </div>
      <CartPanel
        open={isCartOpen}
        onClose={() => setCartOpen(false)}
        numero={numero}
        isOpen={isOpen}
      />
    </>
  );
}

/** Changes the multiple of a ticket. */
export function Stepper({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const { t } = useLingui();
  return (
    <div className={styles.stepper} role="group" aria-label={t`Multiple`}>
      <IconButton
        icon="minus"
        iconSize={16}
        label={t`One less`}
        disabled={value <= 1}
        onPress={() => onChange(value - 1)}
      />
      <CountInput
        label={t`Multiple`}
        value={value}
        max={maxMultiple}
        onChange={onChange}
        className={styles.multiple}
      />
      <IconButton
        icon="plus"
        iconSize={16}
        label={t`One more`}
        disabled={value >= maxMultiple}
        onPress={() => onChange(value + 1)}
      />
    </div>
  );
}
