import { useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';

import { formatMoney } from '../src/lib/money.ts';
import { Chips } from '../src/ui/display/Chips.tsx';
import { useGameContext } from './context.ts';
import { toMinor } from './price.ts';
import type { Play } from './wire.ts';

import styles from './BetView.module.css';

const steps = [1, 2, 5, 10, 50, 100];
const other = 'other';

export type StakeChooserProps = { play: Play; stake: number; onChange: (stake: number) => void };

/** Reports whether a stake is allowed: from the minimum to the maximum, in whole units. */
function isAllowed({ stake: { unit, min, max } }: Play, stake: number, decimals: number) {
  const isWhole = toMinor(stake, decimals) % toMinor(unit, decimals) === 0;
  return Number.isFinite(stake) && stake >= min && stake <= max && isWhole;
}

/** Chooses the stake per line: a multiple of the minimum, or an amount that the player types. */
export function StakeChooser({ play, stake, onChange }: StakeChooserProps) {
  const { t, i18n } = useLingui();
  const { currency, decimals } = useGameContext();
  const label = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const { min, max } = play.stake;
  const stakes = steps.map((step) => step * min).filter((amount) => amount <= max);
  const money = (amount: number) =>
    formatMoney(amount, { currency, language: i18n.locale, decimals: 'needed' });
  const isInvalid = typed !== null && !isAllowed(play, Number(typed), decimals);
  return (
    <div>
      <p className={styles.stakeLabel} id={label}>{t`Stake per line`}</p>
      <div className={styles.stakes}>
        <Chips
          wrap
          label={t`Stake per line`}
          options={[
            ...stakes.map((amount) => ({ value: String(amount), label: money(amount) })),
            { value: other, label: t`Other` },
          ]}
          value={typed === null ? String(stake) : other}
          onChange={(value) => {
            setTyped(value === other ? String(stake) : null);
            if (value !== other) onChange(Number(value));
          }}
        />
        {typed !== null && (
          <input
            type="text"
            inputMode="decimal"
            aria-labelledby={label}
            aria-invalid={isInvalid}
            value={typed}
            className={styles.stakeInput}
            onChange={({ target }) => {
              const text = target.value.replaceAll(/[^\d.]/g, '');
              setTyped(text);
              if (isAllowed(play, Number(text), decimals)) onChange(Number(text));
            }}
          />
        )}
      </div>
      {isInvalid && (
        <p role="alert" className={styles.error}>
          {t`From ${money(min)} to ${money(max)}, in steps of ${money(play.stake.unit)}`}
        </p>
      )}
    </div>
  );
}
