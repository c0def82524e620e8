import { useLingui } from '@lingui/react/macro';

import { formatMoney } from '../src/lib/money.ts';
import { Chips } from '../src/ui/display/Chips.tsx';
import { AmountField } from '../src/ui/form/AmountField.tsx';
import { useGameContext } from './context.ts';
import { amountText, toMinor } from './price.ts';
import { isValidStake, typeStake, type StakeChoice } from './stake.ts';
import type { Play } from './wire.ts';

import styles from './BetView.module.css';

const steps = [1, 2, 5, 10, 50, 100];
const other = 'other';

export type StakeChooserProps = {
  play: Play;
  choice: StakeChoice;
  onChange: (choice: StakeChoice) => void;
};

/** Chooses the stake per line: a multiple of the minimum, or an amount that the player types. */
export function StakeChooser({ play, choice, onChange }: StakeChooserProps) {
  const { t, i18n } = useLingui();
  const { currency, decimals } = useGameContext();
  const { stake, typed } = choice;
  const { min, max } = play.stake;
  const stakes = steps
    .map((step) => Number(amountText(step * toMinor(min, decimals), decimals)))
    .filter((amount) => amount <= max);
  const money = (amount: number) =>
    formatMoney(amount, { currency, language: i18n.locale, decimals: 'needed' });
  const isInvalid = !isValidStake(play, choice, decimals);
  return (
    <div>
      <p className={styles.stakeLabel}>{t`Stake per line`}</p>
      <div className={styles.stakes}>
        <Chips
          wrap
          label={t`Stake per line`}
          options={[
            ...stakes.map((amount) => ({ value: String(amount), label: money(amount) })),
            { value: other, label: t`Other` },
          ]}
          value={typed === null ? String(stake) : other}
          onChange={(value) =>
            onChange(
              value === other
                ? { stake, typed: String(stake) }
                : { stake: Number(value), typed: null },
            )
          }
        />
        {typed !== null && (
          <AmountField
            label={t`Stake per line`}
            value={typed}
            currency={currency}
            decimals={decimals}
            errors={
              isInvalid
                ? [t`From ${money(min)} to ${money(max)}, in steps of ${money(play.stake.unit)}`]
                : []
            }
            className={styles.stakeField}
            onChange={(text) => onChange(typeStake(play, choice, text, decimals))}
          />
        )}
      </div>
    </div>
  );
}
