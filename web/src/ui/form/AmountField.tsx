import { useLingui } from '@lingui/react/macro';

import type { Currency } from '../../lib/currency.ts';
import { compareAmounts } from '../../lib/decimal-text.ts';
import { formatMoney } from '../../lib/money.ts';
import { readAmount } from '../../lib/typed-amount.ts';
import { Field, type FieldProps } from '../Field.tsx';

export type AmountFieldProps = Omit<FieldProps, 'value' | 'onChange' | 'type' | 'inputMode'> & {
  value: string;
  onChange: (typed: string) => void;
  currency: Currency;
  decimals: number;
};

/** An amount of money. The hint shows the parsed amount. */
export function AmountField(props: AmountFieldProps) {
  const { value, onChange, currency, decimals, hint, ...rest } = props;
  const { i18n } = useLingui();
  const amount = readAmount(value, decimals);
  const parsedText = amount && formatMoney(amount, { currency, language: i18n.locale });
  return (
    <Field
      {...rest}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      inputMode={decimals > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      dir="ltr"
      hint={parsedText || hint}
    />
  );
}

export type AmountLimits = { min?: string | undefined; max?: string | undefined };

/** Returns a function that parses a typed amount into decimal text, or an error to show. */
export function useAmountCheck(currency: Currency, decimals: number) {
  const { t, i18n } = useLingui();
  const format = (amount: string) => formatMoney(amount, { currency, language: i18n.locale });
  return (typed: string, { min, max }: AmountLimits = {}): { amount?: string; error?: string } => {
    const amount = readAmount(typed, decimals);
    if (amount === null) return { error: t`Enter an amount, for example ${format('100000')}` };
    if (compareAmounts(amount, '0') <= 0) return { error: t`Enter an amount above zero` };
    if (min && compareAmounts(amount, min) < 0) return { error: t`The minimum is ${format(min)}` };
    if (max && compareAmounts(amount, max) > 0) return { error: t`The maximum is ${format(max)}` };
    return { amount };
  };
}
