import { useLingui } from '@lingui/react';
import { useLingui as useMacro } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import type { GameFilter } from '../../api/game-list.ts';
import { vendorsQuery } from '../../api/vendors.ts';
import { Icon } from '../../ui/Icon.tsx';
import { className } from './classes.ts';
import { useFormatStake } from './stakes.ts';

import styles from './ActiveFilters.module.css';

export type ActiveFiltersProps = {
  filter: GameFilter;
  onChange: (change: Partial<GameFilter>) => void;
};

type Chip = { key: string; text: string; without: Partial<GameFilter> };

export function ActiveFilters({ filter, onChange }: ActiveFiltersProps) {
  const { i18n } = useLingui();
  const { t } = useMacro();
  const formatStake = useFormatStake();
  const { data: vendors = [] } = useQuery(vendorsQuery);
  const { minBet, minLines } = filter;

  const chips: Chip[] = [
    ...filter.vendors.map((code) => ({
      key: `vendor ${code}`,
      text: vendors.find((vendor) => vendor.code === code)?.name ?? t`Other provider`,
      without: { vendors: filter.vendors.filter((each) => each !== code) },
    })),
    ...filter.classes.map((code) => {
      const name = className(code);
      return {
        key: `class ${code}`,
        text: typeof name === 'string' ? name : i18n._(name),
        without: { classes: filter.classes.filter((each) => each !== code) },
      };
    }),
  ];
  if (minBet > 0) {
    const amount = formatStake(minBet);
    chips.push({ key: 'bet', text: t`Stake up to ${amount}`, without: { minBet: 0 } });
  }
  if (minLines > 0) {
    chips.push({
      key: 'lines',
      text: t`At least ${minLines} lines or ways`,
      without: { minLines: 0 },
    });
  }
  if (filter.trial) chips.push({ key: 'trial', text: t`With trial`, without: { trial: false } });
  if (chips.length === 0) return null;

  return (
    <ul className={styles.chips} aria-label={t`Filters in use`}>
      {chips.map(({ key, text, without }) => (
        <li key={key}>
          <button
            type="button"
            className={styles.chip}
            aria-label={t`Remove filter: ${text}`}
            onClick={() => onChange(without)}
          >
            {text}
            <Icon name="x-bold" size={12} />
          </button>
        </li>
      ))}
    </ul>
  );
}
