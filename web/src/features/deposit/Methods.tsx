import { useLingui } from '@lingui/react/macro';

import { useCurrencyOf } from '../../api/amounts.ts';
import type { DepositMethod } from '../../api/deposits.ts';
import { formatMoney } from '../../lib/money.ts';
import { RadioCards } from '../../ui/form/RadioCards.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.ts';

const icons: Record<DepositMethod['kind'], IconName> = {
  mt: 'bank',
  qr: 'qr-code',
  pg: 'credit-card',
};

export type MethodsProps = {
  methods: readonly DepositMethod[];
  value: string | null;
  onChange: (code: string) => void;
};

export function Methods({ methods, value, onChange }: MethodsProps) {
  const { t, i18n } = useLingui();
  const { currency } = useCurrencyOf(methods[0]?.currency);

  function note({ open, opensAt, closesAt, fee, feeRate }: DepositMethod): string {
    if (!open) return t`Open from ${opensAt} to ${closesAt}`;
    const share = new Intl.NumberFormat(i18n.locale, {
      style: 'percent',
      maximumFractionDigits: 4,
      numberingSystem: 'latn',
    }).format(feeRate);
    const fixed = formatMoney(fee, { currency, language: i18n.locale });
    const parts = [fee > 0 ? fixed : '', feeRate > 0 ? share : ''].filter(Boolean).join(' + ');
    const text = parts ? t`Fee ${parts}` : t`No fee`;
    return opensAt === closesAt ? text : `${text} · ${t`until ${closesAt}`}`;
  }

  return (
    <RadioCards
      label={t`Way to pay`}
      columns={2}
      value={value}
      onChange={onChange}
      cards={methods.map((method) => ({
        value: method.code,
        title: method.name,
        text: note(method),
        media: <Icon name={icons[method.kind]} size={24} />,
        disabled: !method.open,
      }))}
    />
  );
}
